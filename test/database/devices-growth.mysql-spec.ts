import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import {
  countOnline,
  deviceIdsOf,
  lockOverdue,
  lockStates,
  noteSeen,
  onlineCount,
  overdueIds,
  takeOffline,
} from '../../src/device-groups/presence/device-states.store';
import { removeDevices } from '../../src/device-groups/store/memberships.store';
import { stopJobs } from '../support/jobs';
import { rowsReadBy, rowsReadOn } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = 20_000;
/** Ids of 100 users with one device each. */
const SOME = Array.from({ length: 100 }, (_, index) => 50_000 + index * 3);

/* Growth is measured in rows read, not in time. SQLite runs the same statements over the same indexes. */
describe('The number of device rows read, with twenty thousand devices,', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    // A third of the devices has no serial number, half of them are online, and none is overdue.
    await test.query(
      `INSERT INTO devices (name, name_search, serial_no, serial_no_search, status, created_at, user_id, online, offline_at)
       SELECT CONCAT('D', seq), CONCAT('d', seq), IF(seq % 3 = 0, NULL, CONCAT('SN-', seq)), NULL, 1, '2026-01-31 08:00:00',
         49999 + seq, seq % 2, IF(seq % 2 = 1, '2027-01-31 08:00:00', NULL)
       FROM seq_1_to_${DEVICES}`,
    );
    // One group has a thousand devices, each other group has one.
    await test.query(`INSERT INTO device_memberships (group_id, device_id) SELECT 1, seq FROM seq_1_to_1000`);
    await test.query(
      `INSERT INTO device_memberships (group_id, device_id) SELECT seq, seq FROM seq_1001_to_3000`,
    );
    await test.query('ANALYZE TABLE devices, device_memberships');
  });
  afterAll(() => test?.close());

  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> => rowsReadBy(test, work);

  const now = new Date('2026-01-31T08:00:00Z');

  it('equals the number of devices that sent a heartbeat', async () => {
    const ids = await test.app.get(Transactions).run((em) => deviceIdsOf(em, SOME));
    expect(ids).toHaveLength(100);
    const read = await readBy(async (em) => {
      const held = await lockStates(em, await deviceIdsOf(em, SOME));
      await noteSeen(
        em,
        held.map(({ id }) => id),
        { now, offlineAt: new Date('2027-01-31T08:00:00Z') },
      );
    });
    expect(read).toBeLessThan(1_000);
  });

  it('is zero for a sweep without offline devices, and else the number of those found', async () => {
    expect(await readBy((em) => overdueIds(em, now, 200))).toBeLessThan(10);
    const read = await readBy(async (em) => {
      const ids = await lockOverdue(em, SOME, new Date('2028-01-31T08:00:00Z'));
      if (ids.length > 0) await takeOffline(em, ids);
    });
    expect(read).toBeLessThan(1_000);
  });

  it('is the number of devices that are removed from a group', async () => {
    const some = Array.from({ length: 40 }, (_, index) => index * 3 + 1);
    const read = await test.app.get(Transactions).run(async (em) => {
      const before = await rowsReadOn(em);
      expect(await removeDevices(em, 1, some)).toHaveLength(40);
      return (await rowsReadOn(em)) - before;
    });
    expect(read).toBeLessThan(200);
  });

  it('is one for reading and changing the online count', async () => {
    expect(await readBy(onlineCount)).toBeLessThan(10);
    expect(await readBy((em) => countOnline(em, 1))).toBeLessThan(10);
  });

  it.each(['d.serial_no ASC, d.id ASC', 'd.serial_no DESC, d.id DESC', 'd.id ASC'])(
    'equals the page size for a first page in the order %s',
    async (order) => {
      const where = order.startsWith('d.id') ? 'WHERE d.online = 1' : '';
      const read = await readBy((em) =>
        em.query(`SELECT d.id AS id FROM devices d ${where} ORDER BY ${order} LIMIT 20`),
      );
      expect(read).toBeLessThan(100);
    },
  );
});
