import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { type AuditFilter, newestAuditRows, trimAuditRows } from '../../src/audit/store/audit-lists.store';
import { stopJobs } from '../support/jobs';
import { rowsReadBy, rowsReadOn } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

const ROWS = 20_000;
const MAX = 51;

/* Growth is measured in rows read, not in time. SQLite runs the same statements over the same indexes. */
describe('The number of audit rows read', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    await test.query(
      `INSERT INTO audit_log (at, actor_type, actor_id, actor_name, action, object_type, object_id, fields_after)
       SELECT TIMESTAMPADD(SECOND, seq, '2026-01-01 00:00:00'), 'user', 1, 'Boss',
         IF(seq % 100 = 0, 'key.update', 'user.update'), IF(seq % 100 = 0, 'key', 'user'), seq % 1000, '{}'
       FROM seq_1_to_${ROWS}`,
    );
    await test.query('ANALYZE TABLE audit_log');
  });
  afterAll(() => test?.close());

  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> => rowsReadBy(test, work);

  const page = (filter: AuditFilter, stretch: object = {}) =>
    readBy((em) => newestAuditRows(em, filter, { range: {}, limit: MAX, ...stretch }));

  // The status itself is read too.
  it.each<[string, AuditFilter, number]>([
    ['the first page', {}, 100],
    ['one who has done all', { actor_id: 1 }, 100],
    ['one who has done nothing', { actor_id: 2 }, 50],
    ['one who has done nothing of the kind', { actor_id: 1, action: 'webhook.test' }, 50],
    ['an action', { action: 'key.update' }, 100],
    ['an action of nobody', { action: 'webhook.test' }, 50],
    ['the service itself', { actor_type: 'system' }, 50],
    ['an object', { object_type: 'user', object_id: '7' }, 100],
    ['a kind of object', { object_type: 'key' }, 100],
    ['a kind of object that nobody has touched', { object_type: 'webhook' }, 60],
    ['an object, by somebody else', { object_type: 'user', object_id: '7', actor_id: 2 }, 120],
    ['an object that nobody has touched', { object_type: 'user', object_id: '5000' }, 50],
  ])('equals the page size for a page of %s', async (_what, filter, most) => {
    expect(await page(filter)).toBeLessThan(most);
  });

  it('does not depend on the depth of a page or on rows outside the time range', async () => {
    const below = { at: new Date('2026-01-01T01:00:00.000Z'), id: 3_600 };
    const range = {
      from: new Date('2026-01-01T00:30:00.000Z'),
      before: new Date('2026-01-01T04:00:00.000Z'),
    };
    expect(await page({}, { below })).toBeLessThan(100);
    expect(await page({ actor_id: 1 }, { below, range })).toBeLessThan(100);
    expect(await page({ action: 'webhook.test' }, { range })).toBeLessThan(50);
  });

  it('equals the number of deleted rows during retention', async () => {
    const before = new Date('2026-01-01T00:01:00.000Z');
    const reads = await test.app.get(Transactions).run(async (em) => {
      const start = await rowsReadOn(em);
      expect(await trimAuditRows(em, before, 500)).toBe(59);
      return (await rowsReadOn(em)) - start;
    });
    expect(reads).toBeLessThan(300);
  });
});
