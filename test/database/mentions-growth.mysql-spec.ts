import { DataSource, type EntityManager } from 'typeorm';
import type { ConversationId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { messagesIn } from '../../src/messaging/store/message.store';
import { quotedBy } from '../../src/messaging/store/quote.store';
import { deleteMentions } from '../../src/messaging/store/recall.store';
import { rowsOfMembers } from '../../src/messaging/store/conversation.store';
import { ChatUser } from '../support/messaging';
import { stopJobs } from '../support/jobs';
import { rowsReadBy, rowsReadOn } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

/* Growth is measured in rows read, not in time. SQLite runs the same statements over the same indexes. */
describe('The number of rows read', () => {
  let test: TestApp;
  let ann: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    [ann] = (await ChatUser.signInAll(test.api, [1, 2, 3])) as [ChatUser];
    group = await ann.createGroup([2, 3]);
    await ann.send(group, 'first');
  });
  afterAll(() => test?.close());

  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> => rowsReadBy(test, work);

  /** Inserts messages that reply to the first one and mention user 2 and all members. */
  async function mentionMany(count: number): Promise<number> {
    const { manager } = test.app.get(DataSource);
    const [row] = await manager.query<{ max_seq: number }[]>(
      'SELECT max_seq FROM conversations WHERE id = ?',
      [group],
    );
    const top = row?.max_seq ?? 0;
    const seqs = Array.from({ length: count }, (_, index) => top + index + 1);
    const at = '2026-01-31 08:00:00.000';
    await manager.query(
      `INSERT INTO messages (conversation_id, seq, id, sender_id, type, content, created_at, reply_seq, mentions)
       VALUES ${seqs.map((seq) => `(${group}, ${seq}, ${1000 + seq}, 1, 'text', 'x', '${at}', 1, '[0,2]')`).join(', ')}`,
    );
    await manager.query(
      `INSERT INTO message_mentions (conversation_id, user_id, seq)
       VALUES ${seqs.flatMap((seq) => [`(${group}, 0, ${seq})`, `(${group}, 2, ${seq})`]).join(', ')}`,
    );
    const last = top + count;
    await manager.query('UPDATE conversations SET max_seq = ?, last_mention_all_seq = ? WHERE id = ?', [
      last,
      last,
      group,
    ]);
    await manager.query(
      'UPDATE conversation_members SET last_mention_seq = ? WHERE conversation_id = ? AND user_id = 2',
      [last, group],
    );
    return last;
  }

  it('does not grow with the mentions, for recalls, quotes and a conversation', async () => {
    const conversation = group as ConversationId;
    const costs = async (top: number) => {
      const message = { conversation_id: group, seq: top, mentions: [2], mention_all: true };
      const { manager } = test.app.get(DataSource);
      const page = await messagesIn(manager, conversation, { from: top - 9, to: top });
      const quotes = await readBy((em) => quotedBy(em, page));
      const list = await readBy((em) => rowsOfMembers(em, group, [2]));
      const back = await test.app.get(Transactions).run(async (em) => {
        const start = await rowsReadOn(em);
        await deleteMentions(em, message);
        return (await rowsReadOn(em)) - start;
      });
      return { quotes, list, back };
    };
    const few = await costs(await mentionMany(10));
    const many = await costs(await mentionMany(5000));
    expect(many.quotes).toBe(few.quotes);
    expect(many.list).toBe(few.list);
    expect(many.back).toBeLessThanOrEqual(few.back + 2);
    expect(many.back).toBeLessThan(40);
  });
});
