import { AUDIT_ACTIONS } from '../../src/audit/rules/audit-actions.rules';
import type { ApiClient } from '../support/api-client';
import { auditedRoutes, auditRows } from '../support/audit/audit-rows';
import type { Stage } from '../support/audit/audited-acts';
import { DEVICE_ACTS } from '../support/audit/device-acts';
import { OTHER_ACTS } from '../support/audit/other-acts';
import { USER_ACTS } from '../support/audit/user-acts';
import { routesOf } from '../support/routes';
import { createTestApp, type TestApp } from '../support/test-app';
import { WEBHOOKS } from '../support/webhooks';

/** What every changing route below /api/admin does: a new one needs its line. */
const ACTS = { ...USER_ACTS, ...DEVICE_ACTS, ...OTHER_ACTS };

describe('A changing route of administrators', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    admin = await test.api.as({ id: 900_001, role: 'admin', name: 'Boss' });
  });
  afterAll(() => test?.close());

  it('is audited, whichever it is, by an action of the list', async () => {
    const audited = auditedRoutes(test.app);
    const changing = (await routesOf(test.app)).filter((route) =>
      /^(POST|PUT|PATCH|DELETE) \/api\/admin\//.test(route),
    );
    expect(changing.length).toBeGreaterThan(25);
    expect(changing.filter((route) => !audited.has(route))).toEqual([]);
    expect(changing.toSorted()).toEqual(Object.keys(ACTS).toSorted());
    for (const [route, { action }] of audited)
      expect([route, AUDIT_ACTIONS]).toEqual([route, expect.arrayContaining([action])]);
    for (const route of changing) expect([route, audited.get(route)?.byKeysAlone]).toEqual([route, false]);
  });

  let stages = 0;
  describe.each(Object.entries(ACTS))('%s', (_route, audited) => {
    it('leaves one row that says what was done, and none where nothing was, or it was refused', async () => {
      stages += 1;
      const stage: Stage = { test, admin: admin.with({ 'x-request-id': 'preparing' }), unique: `s${stages}` };
      const given = (await audited.given?.(stage)) ?? {};
      const asking = { ...stage, admin: admin.with({ 'x-request-id': `act-${stages}` }) };
      const rows = async () =>
        (await auditRows(test)).filter(({ request_id }) => request_id === `act-${stages}`);

      const answer = await audited.act(asking, given);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      const row = {
        actor_type: 'user',
        actor_id: 900_001,
        actor_name: 'Boss',
        ip: '127.0.0.1',
        request_id: `act-${stages}`,
        action: audited.action,
        object_type: audited.action.split('.')[0],
        ...audited.row(given, answer, stage),
      };
      expect(await rows()).toEqual([row]);

      const idle = await audited.nothing?.(asking, given);
      if (idle) expect([idle.status, idle.text]).toEqual([200, expect.any(String)]);
      expect((await audited.refused(asking, given)).status).toBeGreaterThanOrEqual(400);
      expect(await rows()).toEqual([row]);
    });
  });

  it('has told no secret that was planted, in no row and no export', async () => {
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
