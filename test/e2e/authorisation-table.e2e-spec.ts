import { SCOPES } from '../../src/common/auth/api-keys/scopes';
import type { ApiClient } from '../support/api-client';
import { BODIES, ROWS, type Scene } from '../support/authorisation-table';
import { targetOf } from '../support/route-targets';
import { type AttachmentsApp, createAttachmentsApp } from '../support/attachments';
import type { Stage } from '../support/calls';
import { createFixture, ROLES } from '../support/role-fixture';
import { STAGES } from '../support/route-stages';
import { clientWithKey } from '../support/keys';
import { AGORA_SECRET } from '../support/media-webhooks';
import { type BuiltPages, writePages } from '../support/pages';
import { routesOf } from '../support/routes';
import { createWebhook, WEBHOOKS } from '../support/webhooks';

const SOME_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const COLUMNS = [...ROLES, ...SCOPES];

/** Whether no scope opens a route. */
const isClosedToKeys = (cells: string[]): boolean =>
  cells.slice(ROLES.length).every((cell) => cell === '403');

const byColumn = (cells: string[]): object =>
  Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index]]));

describe('Authorisation', () => {
  let test: AttachmentsApp;
  let url: string;
  let pages: BuiltPages;
  const keys = new Map<string, ApiClient>();
  /** Unused objects for the next cell. */
  const fixtures = new Map<Stage, Scene>();
  beforeAll(async () => {
    pages = writePages();
    test = await createAttachmentsApp(
      { AGORA_WEBHOOK_SECRET: AGORA_SECRET, ...WEBHOOKS },
      { pages: pages.folder },
    );
    await test.app.listen(0, '127.0.0.1');
    url = await test.app.getUrl();
    for (const scope of SCOPES) keys.set(scope, await clientWithKey(test.api, [scope]));
  });
  afterAll(async () => {
    await test?.close();
    pages?.remove();
  });

  const sceneAt = async (stage: Stage): Promise<Scene> => {
    const known = fixtures.get(stage);
    if (known) return known;
    const people = await createFixture(test.api, stage);
    const fixture = { ...people, ...(await createWebhook(people.clients.admin)) };
    fixtures.set(stage, fixture);
    return fixture;
  };

  const clientOf = (column: (typeof COLUMNS)[number], { clients: as, user }: Scene): ApiClient =>
    keys.get(column)?.with({ 'x-on-behalf-of': String(user) }) ?? as[column as keyof typeof as];

  const ask = async (who: ApiClient, method: string, path: string, body?: object | string) => {
    const hasBody = body !== undefined && method !== 'HEAD';
    // `fetch` writes forms with their own media type.
    const isForm = body instanceof FormData;
    const isText = typeof body === 'string';
    const response = await fetch(url + path, {
      method,
      headers: {
        ...who.headers,
        ...(hasBody && !isForm && { 'content-type': isText ? 'text/csv' : 'application/json' }),
      },
      body: hasBody ? (isText || isForm ? body : JSON.stringify(body)) : undefined,
    });
    const isEnvelope = response.status !== 200 && method !== 'HEAD';
    const envelope = isEnvelope ? ((await response.json()) as { code: number; message: string }) : undefined;
    // Event streams do not end, and only their status is tested.
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, ...envelope };
  };

  it('has a row for every route of the running router, and no other row', async () => {
    expect(ROWS.map(([route]) => route).toSorted()).toEqual((await routesOf(test.app)).toSorted());
  });

  it('documents every route below /api, but not those of the tus protocol', async () => {
    const { paths } = (await test.api.get('/docs-json')).body as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const wanted = ROWS.map(([route]) => route).filter((route) =>
      /^(?!ALL)\w+ \/(api(?!\/attachments\/tus)|files|health|metrics)/.test(route),
    );
    expect(documented.toSorted()).toEqual(wanted.toSorted());
  });

  it('documents the scope that opens a route, and none for closed routes', async () => {
    type Operation = { description?: string; security?: object[] };
    const { paths } = (await test.api.get('/docs-json')).body as {
      paths: Record<string, Record<string, Operation>>;
    };
    for (const [route, cells] of ROWS) {
      const [method = '', path = ''] = route.split(' ');
      const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      if (operation === undefined || !path.startsWith('/api/')) continue;
      // The first scope that opens the route is the narrowest, because `:read` is before `:write`.
      const isOpen = cells[ROLES.indexOf('nobody')] === 'ok';
      const scope = isOpen ? undefined : SCOPES[cells.slice(ROLES.length).indexOf('ok')];
      const documented = /With a key: scope `(.+)`/.exec(operation.description ?? '')?.[1];
      expect([route, documented]).toEqual([route, scope]);
      expect([route, JSON.stringify(operation.security ?? []).includes('"key"')]).toEqual([
        route,
        scope !== undefined,
      ]);
    }
  });

  it('rejects a key with every scope on routes without a scope', async () => {
    const fixture = await sceneAt('ended');
    const everything = await clientWithKey(test.api, SCOPES);
    const closed = ROWS.filter(([, cells]) => isClosedToKeys(cells));
    expect(closed.length).toBeGreaterThan(50);
    for (const [route] of closed) {
      const [method = ''] = route.split(' ');
      for (const name of method === 'ALL' ? SOME_METHODS : [method]) {
        // On behalf of a user and of an administrator.
        for (const named of [fixture.user, fixture.admin]) {
          const who = everything.with({ 'x-on-behalf-of': String(named) });
          const { status, message } = await ask(
            who,
            name,
            targetOf(route, fixture),
            BODIES[route]?.(fixture, true),
          );
          expect([name, route, status, message]).toEqual([name, route, 403, '无权限']);
        }
      }
    }
  });

  it.each(ROWS)('%s', async (route, expected) => {
    const [method = '', path = ''] = route.split(' ');
    const stage = STAGES[route] ?? 'ended';
    // The test above shows that no scope opens a route that is closed to keys.
    const columns = isClosedToKeys(expected) ? ROLES : COLUMNS;
    const got: string[] = [];
    for (const column of columns) {
      const verdicts = new Set<string>();
      for (const name of method === 'ALL' ? SOME_METHODS : [method]) {
        const fixture = await sceneAt(stage);
        const target = targetOf(route, fixture);
        const who = clientOf(column, fixture);
        const { status, code, message } = await ask(
          who,
          name,
          target,
          BODIES[route]?.(fixture, keys.has(column)),
        );
        verdicts.add(status === 200 ? 'ok' : String(code));
        if (path.startsWith('/api/admin/') && code === 401) expect(message).toBe('未授权,请先登录');
        if ((path.startsWith('/api/admin/') || keys.has(column)) && code === 403)
          expect(message).toBe('无权限');
        if (name === 'GET') expect((await ask(who, 'HEAD', target)).status).toBe(status);
        // A successful request changes the objects, so the next cell needs new ones.
        else if (status === 200) fixtures.delete(stage);
      }
      got.push([...verdicts].join(' or '));
    }
    expect(byColumn(got)).toEqual(byColumn(expected.slice(0, columns.length)));
  });
});
