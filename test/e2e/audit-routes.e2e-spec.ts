import { AUDIT_ACTIONS } from '../../src/audit/rules/audit-actions.rules';
import type { ApiClient } from '../support/api-client';
import { auditedRoutes, auditRows } from '../support/audit/audit-rows';
import type { AuditFixture } from '../support/audit/audited-actions';
import { DEVICE_ACTIONS } from '../support/audit/device-actions';
import { OTHER_ACTIONS } from '../support/audit/other-actions';
import { USER_ACTIONS } from '../support/audit/user-actions';
import { routesOf } from '../support/routes';
import { createTestApp, type TestApp } from '../support/test-app';
import { WEBHOOKS } from '../support/webhooks';

/** An example request of every changing route below /api/admin, to which each new route is added. */
const ACTS = { ...USER_ACTIONS, ...DEVICE_ACTIONS, ...OTHER_ACTIONS };

/** A gateway without a listener. */
const PUSH = {
  PUSH_GATEWAY_URL: 'http://127.0.0.1:9/',
  PUSH_GATEWAY_SECRET: 'a-secret-of-the-gateway-of-tests',
};

describe('Changing admin routes', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { ...WEBHOOKS, ...PUSH } });
    admin = await test.api.as({ id: 900_001, role: 'admin', name: 'Boss' });
  });
  afterAll(() => test?.close());

  it('are all audited, with a documented action', async () => {
    const audited = auditedRoutes(test.app);
    const changing = (await routesOf(test.app)).filter((route) =>
      /^(POST|PUT|PATCH|DELETE) \/api\/admin\//.test(route),
    );
    expect(changing.length).toBeGreaterThan(25);
    expect(changing.filter((route) => !audited.has(route))).toEqual([]);
    expect(changing.toSorted()).toEqual(Object.keys(ACTS).toSorted());
    for (const [route, { action }] of audited)
      expect([route, AUDIT_ACTIONS]).toEqual([route, expect.arrayContaining([action])]);
    for (const route of changing) expect([route, audited.get(route)?.apiKeysOnly]).toEqual([route, false]);
  });

  let stages = 0;
  describe.each(Object.entries(ACTS))('%s', (_route, audited) => {
    it('write one row per change, and none for no change or a rejection', async () => {
      stages += 1;
      const stage: AuditFixture = {
        test,
        admin: admin.with({ 'x-request-id': 'preparing' }),
        unique: `s${stages}`,
      };
      const given = (await audited.setUp?.(stage)) ?? {};
      const asking = { ...stage, admin: admin.with({ 'x-request-id': `act-${stages}` }) };
      const rows = async () =>
        (await auditRows(test)).filter(({ request_id }) => request_id === `act-${stages}`);

      const response = await audited.request(asking, given);
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      const row = {
        actor_type: 'user',
        actor_id: 900_001,
        actor_name: 'Boss',
        ip: '127.0.0.1',
        request_id: `act-${stages}`,
        action: audited.action,
        object_type: audited.action.split('.')[0],
        ...audited.row(given, response, stage),
      };
      expect(await rows()).toEqual([row]);

      const idle = await audited.unchanged?.(asking, given);
      if (idle) expect([idle.status, idle.text]).toEqual([200, expect.any(String)]);
      expect((await audited.rejected(asking, given)).status).toBeGreaterThanOrEqual(400);
      expect(await rows()).toEqual([row]);
    });
  });

  it('leak no planted secret in rows or exports', async () => {
    test.clock.advance(60);
    const exported = await Promise.all(
      ['ndjson', 'csv'].map((format) => admin.get(`/api/admin/audit/export?format=${format}`)),
    );
    const all =
      JSON.stringify(await test.query('SELECT * FROM audit_log')) + exported.map(({ text }) => text).join();
    expect(exported.map(({ status }) => status)).toEqual([200, 200]);
    expect(all).toContain('device_group.move');
    for (const secret of [/planted/, /cbk_[a-z0-9]{8}_/, /whsec_/, /\$argon2/, /eyJ[\w-]+\./])
      expect(all).not.toMatch(secret);
  });
});
