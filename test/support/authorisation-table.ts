import { SCOPES } from '../../src/common/auth/api-keys/scopes';
import { PUSH_ACCESS } from './push-access';
import { ROLES, type RoleFixture as People } from './role-fixture';
import type { createWebhook } from './webhooks';

/*
 * Access by role: `ok`, or the error code. `user` owns the object (caller of the call, owner of the conversation and
 * sender of its message, recipient of the notification), `other` is unrelated to it, `member` is a member of the
 * conversation, `participant` is the callee, and `admin` is an unrelated administrator.
 *
 * Special cases: log-in, refresh and log-out receive neither body nor cookie (422, also without a token); no user here
 * has a password to change (422) or a session to end (404); a provider's webhook without its signature is a 401 for
 * every role.
 *
 * One column per scope of an API key follows: the result of a key with only that scope, on behalf of `user`. `ok`; `.`
 * for a 403, which is also the result of all scopes if the row ends before them; for routes without authentication, `=`
 * for the result of `nobody`.
 */
const TABLE = `
                                                           nobody user  other member participant admin ur uw ti ns ms cr sr ar gr gw
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
POST   /api/media/webhooks/agora                           401    401   401   401    401         401   =

POST   /api/attachments                                    401    ok    ok    ok     ok          ok    .  .  .  .  ok .  .  .  .  .
OPTIONS /api/attachments/tus                               ok     ok    ok    ok     ok          ok    =
POST   /api/attachments/tus                                401    412   412   412    412         412
PATCH  /api/attachments/tus/:id                            401    412   412   412    412         412
DELETE /api/attachments/tus/:id                            401    412   412   412    412         412
GET    /api/messages/conversations                         401    ok    ok    ok     ok          ok
POST   /api/messages/conversations                         401    ok    ok    ok     ok          ok    .  .  .  .  ok .  .  .  .  .
GET    /api/messages/conversations/:id                     401    ok    403   ok     403         403
PUT    /api/messages/conversations/:id                     401    ok    403   403    403         403
DELETE /api/messages/conversations/:id                     401    ok    403   403    403         403
PUT    /api/messages/conversations/:id/owner               401    ok    403   403    403         403
PUT    /api/messages/conversations/:id/settings            401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/typing              401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/read                401    ok    403   ok     403         403
GET    /api/messages/conversations/:id/members             401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/members             401    ok    403   403    403         403
DELETE /api/messages/conversations/:id/members/:userId     401    ok    403   ok     403         403
GET    /api/messages/conversations/:id/messages            401    ok    403   ok     403         403
POST   /api/messages/conversations/:id/messages            401    ok    403   ok     403         403   .  .  .  .  ok .  .  .  .  .
GET    /api/messages/:id                                   401    ok    404   ok     404         404
PUT    /api/messages/:id                                   401    ok    404   403    404         404
POST   /api/messages/:id/recall                            401    ok    404   403    404         404   .  .  .  .  ok .  .  .  .  .
GET    /api/messages/:id/reactions                         401    ok    404   ok     404         404
PUT    /api/messages/:id/reactions                         401    ok    404   ok     404         404
DELETE /api/messages/:id                                   401    ok    404   ok     404         404
POST   /api/messages/conversations/:id/clear               401    ok    403   ok     403         403
GET    /api/messages/:id/readers                           401    ok    404   404    404         404
GET    /api/messages/unread-count                          401    ok    ok    ok     ok          ok
GET    /api/messages/search                                401    ok    ok    ok     ok          ok

GET    /api/notifications                                  401    ok    ok    ok     ok          ok
GET    /api/notifications/unread-count                     401    ok    ok    ok     ok          ok
PUT    /api/notifications/all/read                         401    ok    ok    ok     ok          ok
PUT    /api/notifications/:id/read                         401    ok    404   404    404         404
PUT    /api/notifications/:id/unread                       401    ok    404   404    404         404
PUT    /api/notifications/:id/archive                      401    ok    404   404    404         404
DELETE /api/notifications/:id/archive                      401    ok    404   404    404         404
PUT    /api/notifications/:id/snooze                       401    ok    404   404    404         404
DELETE /api/notifications/:id/snooze                       401    ok    404   404    404         404
DELETE /api/notifications/:id                              401    ok    404   404    404         404

GET    /api/preferences                                    401    ok    ok    ok     ok          ok
PUT    /api/preferences                                    401    ok    ok    ok     ok          ok

GET    /api/users                                          401    ok    ok    ok     ok          ok
GET    /api/users/blocks                                   401    ok    ok    ok     ok          ok
GET    /api/users/:id                                      401    ok    ok    ok     ok          ok
PUT    /api/users/:id/block                                401    ok    ok    ok     ok          ok
DELETE /api/users/:id/block                                401    ok    ok    ok     ok          ok
GET    /api/presence                                       401    ok    403   ok     403         403
GET    /api/presence/stream                                401    ok    403   ok     403         403

GET    /api/events                                         401    ok    ok    ok     ok          ok
GET    /api/events/poll                                    401    ok    ok    ok     ok          ok
${PUSH_ACCESS.trim()}
GET    /api/client-config                                  ok     ok    ok    ok     ok          ok    =
POST   /api/auth/login                                     422    422   422   422    422         422   =
POST   /api/auth/refresh                                   422    422   422   422    422         422   =
POST   /api/auth/logout                                    422    422   422   422    422         422   =
GET    /api/auth/me                                        401    ok    ok    ok     ok          ok
PUT    /api/auth/me                                        401    ok    ok    ok     ok          ok
PUT    /api/auth/password                                  401    422   422   422    422         422
GET    /api/auth/sessions                                  401    ok    ok    ok     ok          ok
DELETE /api/auth/sessions                                  401    ok    ok    ok     ok          ok
DELETE /api/auth/sessions/:id                              401    404   404   404    404         404
GET    /api/admin/users                                    401    403   403   403    403         ok    ok ok .  .  .  .  .  .  .  .
GET    /api/admin/users/export                             401    403   403   403    403         ok    ok ok .  .  .  .  .  .  .  .
POST   /api/admin/users                                    401    403   403   403    403         ok    .  ok .  .  .  .  .  .  .  .
GET    /api/admin/users/:id                                401    403   403   403    403         ok    ok ok .  .  .  .  .  .  .  .
PUT    /api/admin/users/:id                                401    403   403   403    403         ok    .  ok .  .  .  .  .  .  .  .
PUT    /api/admin/users/:id/password                       401    403   403   403    403         ok
POST   /api/admin/users/bulk                               401    403   403   403    403         ok    .  ok .  .  .  .  .  .  .  .
PUT    /api/admin/users/bulk                               401    403   403   403    403         ok    .  ok .  .  .  .  .  .  .  .
PUT    /api/admin/users/matching                           401    403   403   403    403         ok    .  ok .  .  .  .  .  .  .  .
POST   /api/admin/users/:id/tokens                         401    403   403   403    403         ok    .  .  ok .  .  .  .  .  .  .
GET    /api/admin/audit                                    401    403   403   403    403         ok    .  .  .  .  .  .  .  ok .  .
GET    /api/admin/audit/export                             401    403   403   403    403         ok    .  .  .  .  .  .  .  ok .  .
GET    /api/admin/users/:id/sessions                       401    403   403   403    403         ok
DELETE /api/admin/users/:id/sessions                       401    403   403   403    403         ok
DELETE /api/admin/users/:id/sessions/:sessionId            401    403   403   403    403         404
GET    /api/admin/sessions                                 401    403   403   403    403         ok
GET    /api/admin/keys                                     401    403   403   403    403         ok
POST   /api/admin/keys                                     401    403   403   403    403         ok
PUT    /api/admin/keys/:id                                 401    403   403   403    403         ok
DELETE /api/admin/keys/:id                                 401    403   403   403    403         ok
POST   /api/admin/notifications                            401    403   403   403    403         ok    .  .  .  ok .  .  .  .  .  .
GET    /api/admin/announcements                            401    403   403   403    403         ok    .  .  .  ok .  .  .  .  .  .
GET    /api/admin/announcements/:id                        401    403   403   403    403         ok    .  .  .  ok .  .  .  .  .  .
POST   /api/admin/announcements/:id/recall                 401    403   403   403    403         ok    .  .  .  ok .  .  .  .  .  .
GET    /api/admin/conversations                            401    403   403   403    403         ok
GET    /api/admin/conversations/:id                        401    403   403   403    403         ok
GET    /api/admin/conversations/:id/members                401    403   403   403    403         ok
POST   /api/admin/conversations/:id/inspections            401    403   403   403    403         ok
DELETE /api/admin/conversations/:id                        401    403   403   403    403         ok
GET    /api/admin/device-groups                            401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
POST   /api/admin/device-groups                            401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
GET    /api/admin/device-groups/tree                       401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
GET    /api/admin/device-groups/device-counts              401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
POST   /api/admin/device-groups/move                       401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
GET    /api/admin/device-groups/:id                        401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
PUT    /api/admin/device-groups/:id                        401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
PUT    /api/admin/device-groups/:id/position               401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
DELETE /api/admin/device-groups/:id                        401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
GET    /api/admin/device-groups/:id/devices                401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
POST   /api/admin/device-groups/:id/devices/move           401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
POST   /api/admin/device-groups/:id/devices                401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
DELETE /api/admin/device-groups/:id/devices                401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
GET    /api/admin/devices                                  401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
GET    /api/admin/devices/export                           401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
POST   /api/admin/devices                                  401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
DELETE /api/admin/devices                                  401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
POST   /api/admin/devices/bulk                             401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
POST   /api/admin/devices/import                           401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
POST   /api/devices/heartbeat                              401    ok    404   404    404         404
PUT    /api/admin/devices/bulk                             401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
PUT    /api/admin/devices/matching                         401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
GET    /api/admin/devices/:id                              401    403   403   403    403         ok    .  .  .  .  .  .  .  .  ok ok
PUT    /api/admin/devices/:id                              401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
DELETE /api/admin/devices/:id                              401    403   403   403    403         ok    .  .  .  .  .  .  .  .  .  ok
GET    /api/admin/calls                                    401    403   403   403    403         ok    .  .  .  .  .  ok .  .  .  .
GET    /api/admin/calls/export                             401    403   403   403    403         ok    .  .  .  .  .  ok .  .  .  .
GET    /api/admin/calls/:callId                            401    403   403   403    403         ok    .  .  .  .  .  ok .  .  .  .
POST   /api/admin/calls/:callId/end                        401    403   403   403    403         ok
GET    /api/admin/health                                   401    403   403   403    403         ok
GET    /api/admin/config                                   401    403   403   403    403         ok
GET    /api/admin/stats/calls                              401    403   403   403    403         ok    .  .  .  .  .  .  ok .  .  .
GET    /api/admin/stats/overview                           401    403   403   403    403         ok    .  .  .  .  .  .  ok .  .  .
GET    /api/admin/webhooks                                 401    403   403   403    403         ok
POST   /api/admin/webhooks                                 401    403   403   403    403         ok
GET    /api/admin/webhooks/:id                             401    403   403   403    403         ok
PUT    /api/admin/webhooks/:id                             401    403   403   403    403         ok
DELETE /api/admin/webhooks/:id                             401    403   403   403    403         ok
POST   /api/admin/webhooks/:id/secret                      401    403   403   403    403         ok
POST   /api/admin/webhooks/:id/test                        401    403   403   403    403         ok
GET    /api/admin/webhooks/:id/deliveries                  401    403   403   403    403         ok
GET    /api/admin/webhooks/:id/deliveries/:deliveryId      401    403   403   403    403         ok
POST   /api/admin/webhooks/:id/deliveries/:deliveryId/redeliver 401    403   403   403    403         ok
POST   /api/admin/webhooks/:id/replay                      401    403   403   403    403         ok
ALL    /api                                                401    404   404   404    404         404
ALL    /api/*                                              401    404   404   404    404         404
GET    /                                                   ok     ok    ok    ok     ok          ok    =
GET    /conversations                                      ok     ok    ok    ok     ok          ok    =
GET    /conversations/*                                    ok     ok    ok    ok     ok          ok    =
GET    /contacts                                           ok     ok    ok    ok     ok          ok    =
GET    /calls                                              ok     ok    ok    ok     ok          ok    =
GET    /calls/*                                            ok     ok    ok    ok     ok          ok    =
GET    /notifications                                      ok     ok    ok    ok     ok          ok    =
GET    /settings                                           ok     ok    ok    ok     ok          ok    =
GET    /admin                                              ok     ok    ok    ok     ok          ok    =
GET    /admin/*                                            ok     ok    ok    ok     ok          ok    =
GET    /files/:file                                        403    403   403   403    403         403   =
GET    /favicon.svg                                        ok     ok    ok    ok     ok          ok    =
GET    /manifest.webmanifest                               ok     ok    ok    ok     ok          ok    =
GET    /sw.js                                              ok     ok    ok    ok     ok          ok    =
GET    /icons/*                                            ok     ok    ok    ok     ok          ok    =
GET    /assets/*                                           ok     ok    ok    ok     ok          ok    =
GET    /health/live                                        ok     ok    ok    ok     ok          ok    =
GET    /health/ready                                       ok     ok    ok    ok     ok          ok    =
GET    /metrics                                            ok     ok    ok    ok     ok          ok    =
GET    /docs                                               ok     ok    ok    ok     ok          ok    =
GET    /docs/                                              ok     ok    ok    ok     ok          ok    =
GET    /docs/*                                             ok     ok    ok    ok     ok          ok    =
GET    /docs/LICENSE                                       404    404   404   404    404         404   =
GET    /docs/index.html                                    ok     ok    ok    ok     ok          ok    =
GET    /docs/swagger-ui-init.js                            ok     ok    ok    ok     ok          ok    =
GET    /docs/docs/swagger-ui-init.js                       ok     ok    ok    ok     ok          ok    =
GET    /docs-json                                          ok     ok    ok    ok     ok          ok    =
GET    /asyncapi-json                                      ok     ok    ok    ok     ok          ok    =
GET    /docs-yaml                                          ok     ok    ok    ok     ok          ok    =
`;

/** The objects whose ids replace the parameters of a route. */
export type Scene = People & Awaited<ReturnType<typeof createWebhook>>;

/** Request bodies; a text is CSV, `FormData` an upload. API keys create users without passwords. */
export const BODIES: Record<string, (fixture: Scene, isKey: boolean) => object | string> = {
  'POST /api/calls': ({ outsider: friend }) => ({ callee_id: friend }),
  'POST /api/attachments': () => uploadOf('hello'),
  'PUT /api/auth/me': () => ({ name: 'Una' }),
  'PUT /api/auth/password': () => ({ old_password: 'correct horse', new_password: 'battery staple' }),
  'POST /api/messages/conversations': () => ({ type: 'group', name: 'Choir' }),
  'PUT /api/messages/conversations/:id': () => ({ name: 'Crew' }),
  'PUT /api/messages/conversations/:id/owner': ({ member }) => ({ user_id: member }),
  'PUT /api/messages/conversations/:id/settings': () => ({ pinned: true }),
  'POST /api/messages/conversations/:id/members': ({ outsider: friend }) => ({ user_ids: [friend] }),
  'POST /api/messages/conversations/:id/messages': () => ({ type: 'text', content: 'hello again' }),
  'PUT /api/messages/:id': () => ({ content: 'hello once more' }),
  'PUT /api/messages/:id/reactions': () => ({ emoji: '👍' }),
  'PUT /api/notifications/:id/snooze': () => ({ snooze_until: '2100-01-31T08:00:00Z' }),
  'PUT /api/preferences': () => ({ preview: 'names' }),
  'POST /api/admin/users': ({ outsider: friend }, isKey) => ({
    account: `u${friend}`,
    ...(!isKey && { password: 'correct horse' }),
    name: 'Uma',
  }),
  'POST /api/admin/keys': () => ({ name: 'Hub', scopes: ['users:read'] }),
  'PUT /api/admin/keys/:id': () => ({ name: 'Till' }),
  'PUT /api/admin/users/:id': () => ({ name: 'Una' }),
  'PUT /api/admin/users/bulk': ({ outsider: friend }) => ({ user_ids: [friend], status: 1 }),
  'PUT /api/admin/users/matching': () => ({ status: 1 }),
  'POST /api/admin/conversations/:id/inspections': () => ({ reason: 'Complaint 4711' }),
  'POST /api/admin/users/bulk': () => ({ users: [{ external_id: 'una', name: 'Una' }] }),
  'PUT /api/admin/users/:id/password': () => ({ password: 'correct horse' }),
  'POST /api/admin/notifications': ({ outsider: friend }) => ({
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
  'POST /api/admin/device-groups/:id/devices/move': ({ deviceGroup: room, device }) => ({
    device_ids: [device],
    from_group_id: room,
  }),
  'POST /api/admin/devices/bulk': () => ({ devices: [{ serial_no: 'BELL-1', name: 'Bell' }] }),
  'POST /api/admin/devices/import': () => 'serial_no,name\nBELL-2,Bell\n',
  'POST /api/devices/heartbeat': () => ({ version: '2.4.1' }),
  'PUT /api/admin/devices/bulk': ({ device }) => ({ device_ids: [device], status: 0 }),
  'PUT /api/admin/devices/matching': () => ({ status: 1 }),
  'DELETE /api/admin/devices': ({ device }) => ({ device_ids: [device] }),
  'PUT /api/admin/devices/:id': () => ({ name: 'Gate' }),
  'POST /api/admin/webhooks': () => ({ url: 'https://backend.example/', event_types: ['*'] }),
  'PUT /api/admin/webhooks/:id': () => ({ description: 'Billing' }),
  'POST /api/admin/webhooks/:id/replay': () => ({ since: '2026-01-31T08:00:00Z' }),
};

/** Returns the form that uploads a file. */
function uploadOf(content: string): FormData {
  const form = new FormData();
  form.set('type', 'file');
  form.set('file', new Blob([content]), 'hello.txt');
  return form;
}

/** Each route with the results of every role of `ROLES`, then of an API key with each of `SCOPES`. */
export const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .filter(Boolean)
  .map((line): [route: string, cells: string[]] => {
    const [method = '', path = '', ...cells] = line.split(/ +/);
    const people = cells.slice(0, ROLES.length);
    const keys =
      cells.length > ROLES.length + 1 ? cells.slice(ROLES.length) : SCOPES.map(() => cells[ROLES.length]);
    const verdicts: Record<string, string | undefined> = { ok: 'ok', '=': people[0] };
    return [`${method} ${path}`, [...people, ...keys.map((cell = '.') => verdicts[cell] ?? '403')]];
  });
