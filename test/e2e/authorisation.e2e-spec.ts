import type { ApiClient } from '../support/api-client';
import type { Stage } from '../support/calls';
import { AGORA_SECRET } from '../support/media-notices';
import { aScene, ROLES, type Scene } from '../support/cast';
import { routesOf } from '../support/routes';
import { createTestApp, type TestApp } from '../support/test-app';

/*
 * Who gets what: `ok`, or the code of the refusal. `user` is whose thing it is (the caller of the call, the owner of
 * the conversation and sender of its message, who was notified), `other` has nothing to do with it, `member` is in the
 * conversation, `participant` is the callee, and `admin` an administrator who has nothing to do with it either.
 *
 * Rows whose codes are of another kind: log-in, refresh and log-out get no body (422, without a token too); nobody
 * here has a password to change (422) or a session to end (404); a provider's notice without its signature is a 401
 * for everyone.
 */
const TABLE = `
                                                           nobody user  other member participant admin
GET    /api/calls                                          401    ok    ok    ok     ok          ok
POST   /api/calls                                          401    ok    ok    ok     ok          ok
GET    /api/calls/active                                   401    ok    ok    ok     ok          ok
GET    /api/calls/:callId                                  401    ok    404   404    ok          404
POST   /api/calls/:callId/accept                           401    41004 41004 41004  ok          41004
POST   /api/calls/:callId/reject                           401    41004 41004 41004  ok          41004
POST   /api/calls/:callId/cancel                           401    ok    41005 41005  41005       41005
POST   /api/calls/:callId/hangup                           401    ok    41010 41010  ok          41010
POST   /api/calls/:callId/media-state                      401    ok    41010 41010  ok          41010
POST   /api/calls/:callId/token                            401    ok    41010 41010  ok          41010
POST   /api/media/webhooks/agora                           401    401   401   401    401         401

GET    /api/messages/conversations                         401    ok    ok    ok     ok          ok
POST   /api/messages/conversations                         401    ok    ok    ok     ok          ok
GET    /api/messages/conversations/:id                     401    ok    403   ok     403         403
PUT    /api/messages/conversations/:id                     401    ok    403   403    403         403
DELETE /api/messages/conversations/:id                     401    ok    403   403    403         403
PUT    /api/messages/conversations/:id/owner               401    ok    403   403    403         403
PUT    /api/messages/conversations/:id/settings            401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/read                401    ok    403   ok     403         403
GET    /api/messages/conversations/:id/members             401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/members             401    ok    403   403    403         403
DELETE /api/messages/conversations/:id/members/:userId     401    ok    403   ok     403         403
GET    /api/messages/conversations/:id/messages            401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/messages            401    ok    403   ok     403         403
POST   /api/messages/:id/recall                            401    ok    404   403    404         404
GET    /api/messages/:id/readers                           401    ok    404   404    404         404
GET    /api/messages/unread-count                          401    ok    ok    ok     ok          ok

GET    /api/notifications                                  401    ok    ok    ok     ok          ok
GET    /api/notifications/unread-count                     401    ok    ok    ok     ok          ok
PUT    /api/notifications/all/read                         401    ok    ok    ok     ok          ok
PUT    /api/notifications/:id/read                         401    ok    404   404    404         404
PUT    /api/notifications/:id/unread                       401    ok    404   404    404         404
DELETE /api/notifications/:id                              401    ok    404   404    404         404

GET    /api/events                                         401    ok    ok    ok     ok          ok
GET    /api/events/poll                                    401    ok    ok    ok     ok          ok

POST   /api/auth/login                                     422    422   422   422    422         422
POST   /api/auth/refresh                                   422    422   422   422    422         422
POST   /api/auth/logout                                    422    422   422   422    422         422
GET    /api/auth/me                                        401    ok    ok    ok     ok          ok
PUT    /api/auth/password                                  401    422   422   422    422         422
GET    /api/auth/sessions                                  401    ok    ok    ok     ok          ok
DELETE /api/auth/sessions                                  401    ok    ok    ok     ok          ok
DELETE /api/auth/sessions/:id                              401    404   404   404    404         404

GET    /api/admin/users                                    401    403   403   403    403         ok
POST   /api/admin/users                                    401    403   403   403    403         ok
GET    /api/admin/users/:id                                401    403   403   403    403         ok
PUT    /api/admin/users/:id                                401    403   403   403    403         ok
PUT    /api/admin/users/:id/password                       401    403   403   403    403         ok
PUT    /api/admin/users/bulk                               401    403   403   403    403         ok
POST   /api/admin/notifications                            401    403   403   403    403         ok
GET    /api/admin/device-groups                            401    403   403   403    403         ok
POST   /api/admin/device-groups                            401    403   403   403    403         ok
GET    /api/admin/device-groups/tree                       401    403   403   403    403         ok
GET    /api/admin/device-groups/device-counts              401    403   403   403    403         ok
POST   /api/admin/device-groups/move                       401    403   403   403    403         ok
GET    /api/admin/device-groups/:id                        401    403   403   403    403         ok
PUT    /api/admin/device-groups/:id                        401    403   403   403    403         ok
PUT    /api/admin/device-groups/:id/position               401    403   403   403    403         ok
DELETE /api/admin/device-groups/:id                        401    403   403   403    403         ok
GET    /api/admin/device-groups/:id/devices                401    403   403   403    403         ok
POST   /api/admin/device-groups/:id/devices                401    403   403   403    403         ok
DELETE /api/admin/device-groups/:id/devices                401    403   403   403    403         ok
GET    /api/admin/devices                                  401    403   403   403    403         ok
POST   /api/admin/devices                                  401    403   403   403    403         ok
DELETE /api/admin/devices                                  401    403   403   403    403         ok
PUT    /api/admin/devices/bulk                             401    403   403   403    403         ok
GET    /api/admin/devices/:id                              401    403   403   403    403         ok
PUT    /api/admin/devices/:id                              401    403   403   403    403         ok
DELETE /api/admin/devices/:id                              401    403   403   403    403         ok
GET    /api/admin/calls/:callId                            401    403   403   403    403         ok
POST   /api/admin/calls/:callId/end                        401    403   403   403    403         ok

ALL    /api                                                401    404   404   404    404         404
ALL    /api/*                                              401    404   404   404    404         404

GET    /                                                   ok     ok    ok    ok     ok          ok
GET    /health/live                                        ok     ok    ok    ok     ok          ok
GET    /health/ready                                       ok     ok    ok    ok     ok          ok
GET    /metrics                                            ok     ok    ok    ok     ok          ok
GET    /docs                                               ok     ok    ok    ok     ok          ok
GET    /docs/                                              ok     ok    ok    ok     ok          ok
GET    /docs/*                                             ok     ok    ok    ok     ok          ok
GET    /docs/LICENSE                                       404    404   404   404    404         404
GET    /docs/index.html                                    ok     ok    ok    ok     ok          ok
GET    /docs/swagger-ui-init.js                            ok     ok    ok    ok     ok          ok
GET    /docs/docs/swagger-ui-init.js                       ok     ok    ok    ok     ok          ok
GET    /docs-json                                          ok     ok    ok    ok     ok          ok
GET    /docs-yaml                                          ok     ok    ok    ok     ok          ok
`;

const BODIES: Record<string, (scene: Scene) => object> = {
  'POST /api/calls': ({ friend }) => ({ callee_id: friend }),
  'PUT /api/auth/password': () => ({ old_password: 'correct horse', new_password: 'battery staple' }),
  'POST /api/messages/conversations': () => ({ type: 'group', name: 'Choir' }),
  'PUT /api/messages/conversations/:id': () => ({ name: 'Crew' }),
  'PUT /api/messages/conversations/:id/owner': ({ member }) => ({ user_id: member }),
  'PUT /api/messages/conversations/:id/settings': () => ({ pinned: true }),
  'POST /api/messages/conversations/:id/members': ({ friend }) => ({ user_ids: [friend] }),
  'POST /api/messages/conversations/:id/messages': () => ({ type: 'text', content: 'hello again' }),
  'POST /api/admin/users': ({ friend }) => ({
    account: `u${friend}`,
    password: 'correct horse',
    name: 'Uma',
  }),
  'PUT /api/admin/users/:id': () => ({ name: 'Una' }),
  'PUT /api/admin/users/bulk': ({ friend }) => ({ user_ids: [friend], status: 1 }),
  'PUT /api/admin/users/:id/password': () => ({ password: 'correct horse' }),
  'POST /api/admin/notifications': ({ friend }) => ({
    user_ids: [friend],
    type: 'x',
    title: 'x',
    content: 'x',
  }),
  'POST /api/admin/device-groups': () => ({ name: 'Wing' }),
  'PUT /api/admin/device-groups/:id': () => ({ name: 'Hall' }),
  'POST /api/admin/device-groups/move': ({ group }) => ({ group_ids: [group] }),
  'POST /api/admin/device-groups/:id/devices': ({ device }) => ({ device_ids: [device] }),
  'DELETE /api/admin/device-groups/:id/devices': ({ device }) => ({ device_ids: [device] }),
  'POST /api/admin/devices': () => ({ name: 'Bell' }),
  'PUT /api/admin/devices/bulk': ({ device }) => ({ device_ids: [device], status: 0 }),
  'DELETE /api/admin/devices': ({ device }) => ({ device_ids: [device] }),
  'PUT /api/admin/devices/:id': () => ({ name: 'Gate' }),
};

/** At which stage the call must be for those who may act to succeed. Elsewhere it is over, and nobody is busy. */
const STAGES: Record<string, Stage> = {
  'POST /api/calls/:callId/accept': 'ringing',
  'POST /api/calls/:callId/reject': 'ringing',
  'POST /api/calls/:callId/cancel': 'ringing',
  'POST /api/calls/:callId/hangup': 'accepted',
  'POST /api/calls/:callId/media-state': 'accepted',
  'POST /api/calls/:callId/token': 'accepted',
};

/** What stands for a parameter of a path, by where it stands; the first that fits. */
const PARAMETERS: [place: RegExp, value: (scene: Scene) => number | string][] = [
  [/:callId/, ({ call }) => call],
  [/:userId/, ({ member }) => member],
  [/(?<=\/messages\/conversations\/):id/, ({ conversation }) => conversation],
  [/(?<=\/messages\/):id/, ({ message }) => message],
  [/(?<=\/notifications\/):id/, ({ notification }) => notification],
  [/(?<=\/device-groups\/):id/, ({ group }) => group],
  [/(?<=\/devices\/):id/, ({ device }) => device],
  [/(?<=\/users\/):id/, ({ friend }) => friend],
  [/(?<=\/sessions\/):id/, () => 1],
  [/(?<=\/docs\/)\*/, () => 'swagger-ui.css'],
  [/(?<=\/api\/)\*/, () => 'nothing'],
];

const SOME_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const byRole = (cells: string[]): object =>
  Object.fromEntries(ROLES.map((role, index) => [role, cells[index]]));

const fillIn = (path: string, scene: Scene): string =>
  PARAMETERS.reduce((filled, [place, value]) => filled.replace(place, String(value(scene))), path);

const lines = TABLE.trim().split('\n').slice(1).filter(Boolean);
const rows = lines.map((line): [route: string, cells: string[]] => {
  const [method = '', path = '', ...cells] = line.split(/ +/);
  return [`${method} ${path}`, cells];
});

describe('Authorisation', () => {
  let test: TestApp;
  let url: string;
  /** Untouched ones, for whoever asks next. */
  const scenes = new Map<Stage, Scene>();
  beforeAll(async () => {
    test = await createTestApp({ env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET } });
    await test.app.listen(0, '127.0.0.1');
    url = await test.app.getUrl();
  });
  afterAll(() => test?.close());

  const sceneAt = async (stage: Stage): Promise<Scene> => {
    const scene = scenes.get(stage) ?? (await aScene(test.api, stage));
    scenes.set(stage, scene);
    return scene;
  };

  const ask = async (who: ApiClient, method: string, path: string, body?: object) => {
    const hasBody = body !== undefined && method !== 'HEAD';
    const response = await fetch(url + path, {
      method,
      headers: { ...who.headers, ...(hasBody && { 'content-type': 'application/json' }) },
      body: hasBody ? JSON.stringify(body) : undefined,
    });
    const isEnvelope = response.status !== 200 && method !== 'HEAD';
    const envelope = isEnvelope ? ((await response.json()) as { code: number; message: string }) : undefined;
    // Of the event stream the status is all that matters.
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, ...envelope };
  };

  it('has a row for every route of the running router, and no other', async () => {
    expect(rows.map(([route]) => route).toSorted()).toEqual((await routesOf(test.app)).toSorted());
  });

  it('documents every route below /api', async () => {
    const { paths } = (await test.api.get('/docs-json')).body as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const wanted = rows
      .map(([route]) => route)
      .filter((route) => /^(?!ALL)\w+ \/(api|health|metrics)/.test(route));
    expect(documented.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(rows)('%s', async (route, expected) => {
    const [method = '', path = ''] = route.split(' ');
    const stage = STAGES[route] ?? 'ended';
    const got: string[] = [];
    for (const role of ROLES) {
      const verdicts = new Set<string>();
      for (const name of method === 'ALL' ? SOME_METHODS : [method]) {
        const scene = await sceneAt(stage);
        const target = fillIn(path, scene);
        const { status, code, message } = await ask(scene.as[role], name, target, BODIES[route]?.(scene));
        verdicts.add(status === 200 ? 'ok' : String(code));
        if (path.startsWith('/api/admin/') && code === 401) expect(message).toBe('未授权,请先登录');
        if (path.startsWith('/api/admin/') && code === 403) expect(message).toBe('无权限');
        if (name === 'GET') expect((await ask(scene.as[role], 'HEAD', target)).status).toBe(status);
        // What a success has changed would be in the way of the next one.
        else if (status === 200) scenes.delete(stage);
      }
      got.push([...verdicts].join(' or '));
    }
    expect(byRole(got)).toEqual(byRole(expected));
  });
});
