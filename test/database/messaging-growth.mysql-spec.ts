import { DataSource, type EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { usersWithCounts } from '../../src/messaging/store/conversation-recount.store';
import { countOf, rowsOfMembers } from '../../src/messaging/store/conversation.store';
import { unreadCountOf, unreadTotalOf } from '../../src/messaging/store/unread-counts.store';
import { MessageWriter } from '../../src/messaging/services/message-writer';
import { historyOf, type HistoryRange } from '../../src/messaging/store/message.store';
import { awaitMembers, listeningMembers } from '../../src/messaging/store/members.store';
import { type Membership, requireMembership } from '../../src/messaging/store/membership.store';
import { advancePosition } from '../../src/messaging/store/positions.store';
import { readersOf, readersSlice, readsOf } from '../../src/messaging/store/readers.store';
import { viewersOf } from '../../src/messaging/store/visible-message.store';
import { ChatUser, switchToLargeGroup, repairConversationCounts } from '../support/messaging';
import { stopJobs } from '../support/jobs';
import { rowsReadOn } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

/*
 * Growth is measured by the rows that the server reads, not by time. SQLite runs the same statements on the same indexes,
 * but reports no row counts.
 */
describe('The number of rows read', () => {
  let test: TestApp;
  let ann: ChatUser;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    [ann] = (await ChatUser.signInAll(test.api, [1, 2, 3])) as [ChatUser];
  });
  afterAll(() => test?.close());

  /** Returns the number of rows that a transaction reads. */
  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> =>
    test.app.get(Transactions).run(async (em) => {
      const before = await rowsReadOn(em);
      await work(em);
      return (await rowsReadOn(em)) - before;
    });

  /** Messages of user 1, all of them recalled, which user 2 has not read. */
  async function recallMany(group: number, count: number): Promise<void> {
    const { manager } = test.app.get(DataSource);
    const { max_seq: top } = await manager
      .query('SELECT max_seq FROM conversations WHERE id = ?', [group])
      .then(([row]: { max_seq: number }[]) => row ?? { max_seq: 0 });
    const seqs = Array.from({ length: count }, (_, index) => top + index + 1);
    for (let start = 0; start < count; start += 1000) {
      const values = seqs.slice(start, start + 1000).map((seq) => `(${group}, ${seq})`);
      await manager.query(`INSERT INTO message_recalls (conversation_id, seq) VALUES ${values.join(', ')}`);
    }
    const last = top + count;
    await manager.query('UPDATE conversations SET max_seq = ?, last_recalled_seq = ? WHERE id = ?', [
      last,
      last,
      group,
    ]);
    await manager.query(
      `UPDATE conversation_members SET read_seq = CASE user_id WHEN 1 THEN ? ELSE read_seq END,
       recalled_ahead = CASE user_id WHEN 1 THEN 0 ELSE recalled_ahead + ? END WHERE conversation_id = ?`,
      [last, count, group],
    );
  }

  it('does not grow with the recalled unread messages of a member, for a send', async () => {
    const group = await ann.createGroup([2, 3]);
    const send = { userId: 1, conversationId: group, body: { type: 'text' as const, content: 'x' } };
    const sending = (em: EntityManager) =>
      test.app.get(MessageWriter).write(em, [send], { lookUpUsedIds: false });
    await readBy(sending);
    await recallMany(group, 10);
    const few = await readBy(sending);
    await recallMany(group, 5000);
    expect(await readBy(sending)).toBeLessThanOrEqual(few + 5);
    expect(few).toBeLessThan(100);
  });

  it('does not grow with the notices around the read position of a member', async () => {
    const group = (await ann.createGroup([2, 3])) as ConversationId;
    const { manager } = test.app.get(DataSource);
    const values = Array.from({ length: 2000 }, (_, index) => `(${group}, ${index + 1}, ${index + 1})`);
    await manager.query(`INSERT INTO message_notices (conversation_id, seq, n) VALUES ${values.join()}`);
    await manager.query(
      'UPDATE conversations SET max_seq = 2001, notice_count = 2000, last_notice_seq = 2000 WHERE id = ?',
      [group],
    );
    const counting = () => readBy(async (em) => expect(await unreadCountOf(em, 2 as UserId, group)).toBe(1));
    expect(await counting()).toBeLessThan(10);
    const advancing = await readBy(async (em) => {
      const membership = await requireMembership(em, 2 as UserId, group);
      const advance = await advancePosition(em, membership, 1000);
      expect(advance).toMatchObject({ range: { from: 1, to: 1000 }, unread_count: 1 });
    });
    expect(advancing).toBeLessThan(30);
    expect(await counting()).toBeLessThan(10);
  });

  it('does not grow with the memberships, for a send to a large group', async () => {
    const group = await ann.createGroup([2, 3]);
    await switchToLargeGroup(test, group);
    const send = { userId: 1, conversationId: group, body: { type: 'text' as const, content: 'x' } };
    const sending = (em: EntityManager) =>
      test.app.get(MessageWriter).write(em, [send], { lookUpUsedIds: false });
    await readBy(sending);
    await giveConversations(50, 3000);
    expect(await readBy(sending)).toBeLessThan(100);
  });

  it('does not grow with the users, for the next ones of a repair of counts', async () => {
    const { manager } = test.app.get(DataSource);
    const values = Array.from({ length: 3000 }, (_, index) => `(${200_000 + index}, 'group', 1)`);
    await manager.query(`INSERT INTO conversation_counts (user_id, type, total) VALUES ${values.join()}`);
    const reading = readBy(async (em) =>
      expect(await usersWithCounts(em, 200_000, 2)).toEqual([200_001, 200_002]),
    );
    expect(await reading).toBeLessThan(50);
    await manager.query('DELETE FROM conversation_counts WHERE user_id >= 200000');
  });

  it('does not grow with the history, for a page at any depth', async () => {
    const group = (await ann.createGroup([2])) as ConversationId;
    const { manager } = test.app.get(DataSource);
    const at = '2026-01-31 08:00:00.000';
    const values = Array.from({ length: 3000 }, (_, index) => {
      const seq = index + 1;
      return `(${group}, ${seq}, ${1_000_000 + seq}, 1, 'text', 'x', '${at}')`;
    });
    await manager.query(
      `INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at) VALUES ${values.join()}`,
    );
    await manager.query('UPDATE conversations SET max_seq = 3000 WHERE id = ?', [group]);
    const reading = (range: HistoryRange) =>
      readBy(async (em) => {
        const found = await historyOf(em, ann.id as UserId, group, range);
        expect(found?.messages).toHaveLength(10);
      });
    await reading({ from: -9, to: 0, isRelative: true });
    expect(await reading({ from: -9, to: 0, isRelative: true })).toBeLessThan(50);
    expect(await reading({ from: -1509, to: -1500, isRelative: true })).toBeLessThan(50);
    expect(await reading({ from: 100, to: 109, isRelative: false })).toBeLessThan(50);
  });

  it('does not grow with the reads of the members, for the readers of a message', async () => {
    const group = await ann.createGroup([2, 3]);
    const { manager } = test.app.get(DataSource);
    const at = '2026-01-31 08:00:00.000';
    const values = [2, 3].flatMap((user) =>
      Array.from({ length: 2000 }, (_, index) => `(${group}, ${user}, ${index + 1}, ${index + 1}, '${at}')`),
    );
    await manager.query(
      `INSERT INTO read_intervals (conversation_id, user_id, from_seq, to_seq, read_at) VALUES ${values.join()}`,
    );
    await manager.query('UPDATE conversation_members SET read_seq = 2000 WHERE conversation_id = ?', [group]);
    const times = [2, 3].map((user_id) => ({ user_id, read_at: new Date('2026-01-31T08:00:00.000Z') }));
    for (const seq of [5, 1999]) {
      const message = { conversation_id: group as ConversationId, seq, sender_id: 1 as UserId };
      const reading = await readBy(async (em) =>
        expect(await readersSlice(em, message, { offset: 0, limit: 10 })).toEqual(times),
      );
      expect(reading).toBeLessThan(30);
      const recalling = await readBy(async (em) => expect(await readsOf(em, group, seq)).toHaveLength(3));
      expect(recalling).toBeLessThan(30);
    }
  });

  /** Conversations of one user with five unread messages each, counted. */
  async function giveConversations(user: number, count: number): Promise<void> {
    const { manager } = test.app.get(DataSource);
    const first = user * 10_000;
    const ids = Array.from({ length: count }, (_, index) => first + index);
    const at = '2026-01-31 08:00:00.000';
    await manager.query(
      `INSERT INTO conversations (id, type, name, member_count, max_seq, last_recalled_seq, first_read_seq,
       first_gap_seq, pulled, created_at)
       VALUES ${ids.map((id) => `(${id}, 'group', 'G', 1, 5, 0, 0, 0, 0, '${at}')`).join(', ')}`,
    );
    await manager.query(
      `INSERT INTO conversation_members (conversation_id, user_id, type, role, join_seq, joined_at, read_seq, pinned,
       muted, hidden, hidden_seq, pulled, sort_at, hears_after)
       VALUES ${ids
         .map(
           (id, index) =>
             `(${id}, ${user}, 'group', 'owner', 1, '${at}', 0, 0, 0, ${index % 2}, -1, 0, '${at}', 0)`,
         )
         .join(', ')}`,
    );
    await repairConversationCounts(test);
  }

  it('does not grow with the conversations, for the unread counts', async () => {
    await giveConversations(11, 20);
    await giveConversations(12, 3000);
    const now = test.clock.now();
    const total = (userId: number) => readBy((em) => unreadTotalOf(em, userId, now));
    const count = (userId: number) => readBy((em) => countOf(em, { userId, hidden: false }));
    await total(11);
    const { manager } = test.app.get(DataSource);
    expect(await unreadTotalOf(manager, 12, now)).toBe(15_000);
    expect(await countOf(manager, { userId: 12, hidden: false })).toMatchObject({ count: 1500 });
    expect(await total(12)).toBe(await total(11));
    expect(await count(12)).toBe(await count(11));
    expect(await count(12)).toBeLessThan(20);
  });

  describe('does not grow with the members of a large group, when some of them are named', () => {
    const named = Array.from({ length: 40 }, (_, index) => 10_000 + index);
    let group: ConversationId;
    let viewer: Membership;
    let seq: number;
    beforeAll(async () => {
      group = (await ann.createGroup([2])) as ConversationId;
      await ann.send(group);
      const { manager } = test.app.get(DataSource);
      const columns = `type, role, joined_at, pinned, muted, hidden, hidden_seq, pulled, sort_at, hears_after`;
      const others = Array.from({ length: 1000 }, (_, index) => `SELECT ${10_000 + index} AS id`).join(
        ' UNION ALL ',
      );
      const copy = (conversation: string, user: string) =>
        manager.query(
          `INSERT INTO conversation_members (conversation_id, user_id, join_seq, read_seq, ${columns})
           SELECT ${conversation}, ${user}, 0, 1000, ${columns} FROM conversation_members JOIN (${others}) others
           WHERE conversation_id = ? AND user_id = 2`,
          [group],
        );
      await copy('conversation_id', 'others.id');
      // Most conversations are small, so the database does not expect one with a thousand members.
      await copy('1000000 + others.id', '1');
      await manager.query('ANALYZE TABLE conversation_members');
      const range = { from: -9, to: 0, isRelative: true };
      const found = await historyOf(manager, ann.id as UserId, group, range);
      if (found?.messages[0] === undefined) throw new Error('The group has no history');
      viewer = found.membership;
      seq = found.messages[0].seq;
    });

    it('for the senders of a page', async () => {
      const rows = await readBy(async (em) => {
        const { tallies } = await readersOf(em, viewer, { from: 1, to: seq }, named);
        expect(tallies?.senders.size).toBe(40);
      });
      expect(rows).toBeLessThan(150);
    });

    it.each([
      ['their reads', (em) => readsOf(em, group, seq, named)],
      ['those who see a message', (em) => viewersOf(em, group, seq, named)],
      ['their states', (em) => listeningMembers(em, group, named)],
      ['the conversation as they see it', (em) => rowsOfMembers(em, group, named)],
    ] satisfies [string, (em: EntityManager) => Promise<unknown[]>][])('for %s', async (_, read) => {
      const rows = await readBy(async (em) => expect(await read(em)).toHaveLength(40));
      expect(rows).toBeLessThan(500);
    });

    it('for waiting for their transactions, which locks no other members', async () => {
      expect(await readBy((em) => awaitMembers(em, group, named))).toBeLessThan(60);
    });
  });
});
