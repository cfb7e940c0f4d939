import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { countUsers, userIdsBy, userIdsBySeen } from '../../src/identity/listing/users-list.store';
import { UserPresence } from '../../src/identity/listing/user-presence';
import { lockBroadcasts } from '../../src/notifications/store/announcement.store';
import { copiesOf } from '../../src/notifications/store/announcement-recalls.store';
import { changePositions } from '../../src/notifications/store/inbox-changes.store';
import { lockInboxes, readLocked } from '../../src/notifications/store/locked-inbox.store';
import { raiseNotifications } from '../../src/push/store/push-job.store';
import { findRemovals } from '../../src/notifications/store/removals.store';
import { countBatch } from '../../src/notifications/store/announcement-reaches.store';
import { stopJobs } from '../support/jobs';
import { rowsReadBy } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

const USERS = 20_000;

/* Growth is measured in rows read, not in time. SQLite runs the same statements over the same indexes. */
describe('The number of user rows read', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    await test.query(
      `INSERT INTO users (id, issuer, name, name_key, role, status, created_at)
       SELECT seq, '', 'U', 'u', IF(seq MOD 1000, 'user', 'admin'), 1, '2026-01-31' FROM seq_1_to_${USERS}`,
    );
    await test.query(
      `INSERT INTO presence (user_id, changed_at, version, last_seen_at)
       SELECT seq, '2026-01-31', 1, '2026-01-30' + INTERVAL (seq * 7919 MOD ${USERS}) SECOND FROM seq_1_to_${USERS - 100}`,
    );
    await test.query("INSERT INTO instances (id, renewed_at) VALUES ('one', '2026-01-31 08:00:00.000')");
    await test.query(
      `INSERT INTO presence_streams (user_id, instance_id, since, until)
       SELECT seq * 100, 'one', '2026-01-31', NULL FROM seq_1_to_30`,
    );
    await test.query(
      `INSERT INTO announcements (broadcast_seq, type, title, content, recipients, created_at)
       SELECT seq, 'news', 'T', 'C', 1, '2026-01-31' FROM seq_1_to_1000`,
    );
    await test.query(
      `INSERT INTO notifications (user_id, seq, type, title, content, created_at, announcement_id)
       SELECT seq, 1, 'news', 'T', 'C', '2026-01-31', IF(seq MOD 2, 7, NULL) FROM seq_1_to_${USERS}`,
    );
    await test.query(
      `INSERT INTO notification_inboxes (user_id, last_seq, version, broadcast_id) SELECT seq, 1, 1, 1000 FROM seq_1_to_${USERS}`,
    );
    await test.query(
      `INSERT INTO notification_types (user_id, type, code, total, unread, epoch)
       SELECT seq, 'news', 1, 1, 1, 0 FROM seq_1_to_${USERS}`,
    );
    await test.query(
      `INSERT INTO notification_blocks (user_id, start, version, width, types, unread)
       SELECT seq, 0, 1, 1, x'0001', x'02' FROM seq_1_to_${USERS}`,
    );
    await test.query('ANALYZE TABLE notification_inboxes, notification_types, notification_blocks');
    await test.query('ANALYZE TABLE users, presence, presence_streams, announcements, notifications');
  });
  afterAll(() => test?.close());

  const run = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> =>
    test.app.get(Transactions).run(work);

  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> => rowsReadBy(test, work);

  const presence = (em: EntityManager) => {
    const parts = test.app.get(UserPresence).inSql(em);
    if (parts === undefined) throw new Error('Presence is off');
    return parts;
  };
  const first = { offset: 0, limit: 20 };

  it('is small for online users', async () => {
    const online = (em: EntityManager) => ({ among: presence(em).online });
    expect(await run((em) => countUsers(em, online(em)))).toBe(30);
    expect(await readBy((em) => countUsers(em, online(em)))).toBeLessThan(300);
    const order = { column: 'id', descending: false };
    expect(await run((em) => userIdsBy(em, online(em), order, first))).toEqual(
      Array.from({ length: 20 }, (_, index) => (index + 1) * 100),
    );
    expect(await readBy((em) => userIdsBy(em, online(em), order, first))).toBeLessThan(300);
  });

  it('is small for the first pages by last seen time', async () => {
    for (const offset of [0, 20, 40, 100]) {
      const page = (em: EntityManager) => userIdsBySeen(em, {}, presence(em), true, { offset, limit: 20 });
      expect(await run(page)).toHaveLength(20);
      expect(await readBy(page)).toBeLessThan(1_000);
    }
    const upwards = (em: EntityManager) => userIdsBySeen(em, {}, presence(em), false, first);
    expect(await run(upwards)).toEqual(Array.from({ length: 20 }, (_, index) => USERS - 99 + index));
  });

  it('is small for counting a role', async () => {
    expect(await run((em) => countUsers(em, { role: 'admin' }))).toBe(20);
    expect(await readBy((em) => countUsers(em, { role: 'admin' }))).toBeLessThan(50);
  });

  it('is small for the pushes of a user whose notifications are read', async () => {
    await test.query(
      `INSERT INTO push_targets (id, user_id, kind, terminal_id, token, token_hash, sandbox, state, registered_at, seen_at,
         created_at)
       SELECT seq, seq, 'fcm', 't', 'x', seq, 0, 'active', '2026-01-31', '2026-01-31', '2026-01-31' FROM seq_1_to_2000`,
    );
    await test.query(
      `INSERT INTO push_jobs (target_id, topic, user_id, type, lane, rev, caused_at, expires_at)
       SELECT seq, 'n', seq, 'notification', 1, 1, '2026-01-31', '2026-02-03' FROM seq_1_to_2000`,
    );
    expect(await readBy((em) => raiseNotifications(em, 7, new Date('2026-01-31')))).toBeLessThan(20);
  });

  it('equals the number of users materialised, removed or counted', async () => {
    const held = (em: EntityManager) => lockBroadcasts(em, 991, 1_000);
    expect(await run(held)).toHaveLength(10);
    expect(await readBy(held)).toBeLessThan(60);
    const copies = (em: EntityManager) => copiesOf(em, 7, 9_000, 100);
    expect(await run(copies)).toHaveLength(100);
    expect(await readBy(copies)).toBeLessThan(250);
    const userIds = Array.from({ length: 100 }, (_, index) => 9_001 + 2 * index);
    expect(await readBy((em) => lockInboxes(em, userIds))).toBeLessThan(300);
    expect(await readBy((em) => readLocked(em, userIds))).toBeLessThan(900);
    const removals = async (em: EntityManager) =>
      findRemovals(
        em,
        await readLocked(em, userIds),
        (await copies(em)).map(({ id }) => id),
      );
    expect(await readBy(removals)).toBeLessThan(1_500);
    const change = (to: 'read' | 'deleted') => async (em: EntityManager) => {
      const inboxes = await readLocked(em, userIds);
      await changePositions(
        em,
        inboxes.map((inbox) => ({ inbox, type: 'news', seq: 1, to })),
      );
    };
    expect(await readBy(change('read'))).toBeLessThan(2_500);
    expect(await readBy(change('deleted'))).toBeLessThan(2_500);
    const part = (em: EntityManager) => countBatch(em, 7, 9_000, 1_000);
    expect(await run(part)).toMatchObject({ delivered: 1_000 });
    expect(await readBy(part)).toBeLessThan(6_000);
  });
});
