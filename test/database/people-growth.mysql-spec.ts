import { DataSource, type EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { areInSmallGroups, smallGroupOf } from '../../src/messaging/contacts/contacts.store';
import { typingAudience } from '../../src/messaging/typing/typing.store';
import { deleteClosed } from '../../src/people/presence/instance-streams.store';
import { ChatUser } from '../support/messaging';
import { stopJobs } from '../support/jobs';
import { rowsReadBy, rowsReadOn } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

/* Growth is measured in rows read, not in time. SQLite runs the same statements over the same indexes. */
describe('The number of rows read', () => {
  let test: TestApp;
  let ann: ChatUser;
  beforeAll(async () => {
    test = await createTestApp({ env: { PRESENCE: 'off' } });
    await stopJobs(test);
    [ann] = (await ChatUser.signInAll(test.api, [1, 2, 3])) as [ChatUser];
  });
  afterAll(() => test?.close());

  const run = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> =>
    test.app.get(Transactions).run(work);

  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> => rowsReadBy(test, work);

  /** Creates a group whose members have joined and done nothing else. Returns its id. */
  async function groupOf(size: number): Promise<number> {
    const group = await ann.createGroup([2, 3]);
    await test.query(
      `INSERT INTO conversation_members (conversation_id, user_id, type, role, join_seq, joined_at, read_seq, pinned,
         muted, hidden, hidden_seq, pulled, sort_at, hears_after)
       SELECT m.conversation_id, s.seq, m.type, 'member', m.join_seq, m.joined_at, m.read_seq, 0, 0, 0, -1, m.pulled,
         m.sort_at, 0
       FROM conversation_members m, seq_1000_to_${996 + size} s WHERE m.conversation_id = ${group} AND m.user_id = 2`,
    );
    await test.query(`UPDATE conversations SET member_count = ${size} WHERE id = ${group}`);
    await test.query('ANALYZE TABLE conversation_members, conversations');
    return group;
  }

  it('excludes members of too large groups, for typing and presence', async () => {
    const [small, large] = [await groupOf(200), await groupOf(4000)];
    const place = { conversationId: small, userId: 1 };
    expect(await run((em) => typingAudience(em, place))).toHaveLength(199);
    expect(await run((em) => smallGroupOf(em, 1, small))).toHaveLength(200);
    const there = { conversationId: large, userId: 1 };
    expect(await run((em) => typingAudience(em, there))).toEqual([]);
    expect(await run((em) => smallGroupOf(em, 1, large))).toEqual([]);
    expect(await readBy((em) => typingAudience(em, there))).toBeLessThan(100);
    expect(await readBy((em) => smallGroupOf(em, 1, large))).toBeLessThan(100);
  });

  it('uses a single index for members, without an optimizer search', async () => {
    const group = await ann.createGroup([2, 3]);
    const places = [1, 2, 3, 4].map((userId) => ({ conversationId: group, userId }));
    const asked = jest.spyOn(test.app.get(DataSource).manager, 'query');
    expect(await areInSmallGroups(test.app.get(DataSource).manager, places)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const [sql, parameters] = asked.mock.lastCall ?? [''];
    asked.mockRestore();
    const plan = await test.app
      .get(DataSource)
      .query<{ table: string; possible_keys: string }[]>(`EXPLAIN ${sql}`, parameters);
    expect(plan.find(({ table }) => table === 'm')?.possible_keys).toBe('PRIMARY');
  });

  it('does not grow with open streams, for deleting closed ones', async () => {
    await test.query(
      `INSERT INTO presence_streams (user_id, instance_id, since, until)
       SELECT seq, CONCAT('i', seq MOD 3), '2026-01-31', IF(seq > 16000, '2026-01-31 00:00:01', NULL) FROM seq_1_to_20000`,
    );
    await test.query('ANALYZE TABLE presence_streams');
    const forget = (em: EntityManager) => deleteClosed(em, new Date('2026-01-31T00:00:02.000Z'));
    const read = await run(async (em) => {
      const before = await rowsReadOn(em);
      expect(await forget(em)).toBe(1000);
      return (await rowsReadOn(em)) - before;
    });
    expect(read).toBeLessThan(3000);
    for (const left of [1000, 1000, 1000, 0]) expect(await run(forget)).toBe(left);
    expect(await test.query('SELECT COUNT(*) AS n FROM presence_streams')).toMatchObject([{ n: 16000 }]);
  });
});
