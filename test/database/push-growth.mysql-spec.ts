import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { conversationTopic } from '../../src/push/rules/push-plan.rules';
import type { PushedMessage } from '../../src/push/rules/pushed-objects.rules';
import { pushedMessages } from '../../src/push/store/push-content.store';
import { raiseRecalled, raiseSeen } from '../../src/push/store/push-job.store';
import { stopJobs } from '../support/jobs';
import { ChatUser } from '../support/messaging';
import { rowsReadBy } from '../support/rows-read';
import { createTestApp, START, type TestApp } from '../support/test-app';

/* Growth is measured in rows read, not in time. SQLite runs the same statements over the same indexes. */
describe('The number of rows read for pushes', () => {
  let test: TestApp;
  let ann: ChatUser;
  let peers: ChatUser[];
  beforeAll(async () => {
    test = await createTestApp({ env: { PRESENCE: 'off' } });
    await stopJobs(test);
    [ann, ...peers] = (await ChatUser.signInAll(test.api, [1, 2, 3, 4, 5, 6, 7, 8, 9])) as [
      ChatUser,
      ...ChatUser[],
    ];
  });
  afterAll(() => test?.close());

  const now = new Date(START);

  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> => rowsReadBy(test, work);

  /** Reads what is pushed to the users 2 to 9 about conversations of their own. */
  const pushed =
    (conversations: number[]) =>
    (em: EntityManager): Promise<PushedMessage[]> =>
      pushedMessages(
        em,
        conversations.map((conversation_id, index) => ({ conversation_id, user_id: index + 2 })),
        now,
      );

  /** Adds copies of the first message of a conversation, before its later ones. */
  async function addMessages(conversation: number, messages: number): Promise<void> {
    await test.query(`UPDATE messages SET seq = seq + ${messages} WHERE conversation_id = ${conversation}
      AND seq > 1 ORDER BY seq DESC`);
    await test.query(`UPDATE conversation_members SET read_seq = read_seq + ${messages}
      WHERE conversation_id = ${conversation}`);
    await test.query(`UPDATE conversations SET max_seq = max_seq + ${messages} WHERE id = ${conversation}`);
    await test.query(`INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at)
      SELECT m.conversation_id, s.seq + 1, 1000000 + s.seq, m.sender_id, m.type, m.content, m.created_at
      FROM messages m, seq_1_to_${messages} s
      WHERE m.conversation_id = ${conversation} AND m.seq = 1`);
  }

  it('is the same for conversations with many messages, whether they were read or not', async () => {
    const chats: number[] = [];
    for (const { id } of peers) chats.push(await ann.openSingle(id));
    for (const chat of chats) {
      await ann.send(chat, 'first');
      await ann.send(chat, 'last');
      await addMessages(chat, 1_000);
    }
    const found = await pushed(chats)(test.app.get(Transactions).read());
    expect(found.map(({ content }) => content)).toEqual(Array.from({ length: 8 }, () => 'last'));
    // Each ANALYZE takes another sample of the index pages. After a quarter of the samples MariaDB sorted all messages.
    for (let sample = 0; sample < 10; sample += 1) {
      await test.query('ANALYZE TABLE conversations, messages');
      expect(await readBy(pushed(chats))).toBeLessThan(100);
    }
    for (const [index, peer] of peers.entries()) await peer.read(chats[index] ?? 0);
    expect(await pushed(chats)(test.app.get(Transactions).read())).toEqual([]);
    expect(await readBy(pushed(chats))).toBeLessThan(100);
  });

  it('grows with the topics that were seen or recalled, not with the queue', async () => {
    const times = "'2026-01-01', '2026-01-01', '2027-01-01'";
    await test.query(`INSERT INTO push_jobs (target_id, topic, user_id, type, lane, rev, due_at, caused_at, expires_at)
      SELECT seq, CONCAT('conversation:', seq), seq, 'message', 5, 1, ${times} FROM seq_1_to_2000`);
    await test.query('ANALYZE TABLE push_jobs');
    const seen = Array.from({ length: 200 }, (_, index) => ({
      userId: index + 3_000,
      topic: conversationTopic(index + 3_000),
    }));
    expect(await readBy((em) => raiseSeen(em, seen, now))).toBeLessThan(500);
    const topics = seen.map(({ topic }) => topic);
    expect(await readBy((em) => raiseRecalled(em, topics, now))).toBeLessThan(500);
  });
});
