import { DataSource } from 'typeorm';
import { isSqlite } from '../../src/database/sql/dialect';
import { newUserIds } from '../support/calls';
import { ChatUser } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { sendConcurrently, countTransactions, type SendRequest } from '../support/sending';
import { createTestApp, type TestApp } from '../support/test-app';

const by = (sender: ChatUser, content: string): SendRequest => ({ senderId: sender.id, content });

describe('Batched sends', () => {
  let test: TestApp;
  let ann: ChatUser;
  let others: ChatUser[];
  beforeAll(async () => {
    test = await createTestApp();
    const people = await ChatUser.signInAll(test.api, newUserIds(21));
    [ann, ...others] = people as [ChatUser, ...ChatUser[]];
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const contentsOf = async (who: ChatUser, conversation: number): Promise<string[]> =>
    (await who.peek(conversation)).map(({ content }) => content).toReversed();
  const countOf = async (table: string): Promise<number> =>
    Number(((await test.query(`SELECT COUNT(*) AS n FROM ${table}`)) as [{ n: number | string }])[0].n);
  /** Returns the types, contents and unread counts of a user's events, in order. */
  const eventsOf = async (who: ChatUser): Promise<unknown[]> =>
    (await who.api.get('/api/events/poll?limit=500')).body.data.items.map(
      (event: { id: number; type: string; message?: { content: string }; unread_count: number }) => [
        event.id,
        event.message?.content ?? event.type,
        event.unread_count,
      ],
    );

  it('of one account to many chats share a transaction, except the first', async () => {
    const chats = await Promise.all(others.map(({ id }) => ann.openSingle(id)));
    const sends = () =>
      Promise.all(chats.map((chat, index) => sendConcurrently(test, chat, [by(ann, `to ${index}`)])));
    expect(await countTransactions(test, sends)).toBe(2);
    for (const [index, other] of others.entries()) {
      expect(await contentsOf(other, chats[index] ?? 0)).toEqual([`to ${index}`]);
      expect(await eventsOf(other)).toEqual([
        [1, 'conversation.updated', undefined],
        [2, `to ${index}`, 1],
      ]);
    }
    const listed = (await ann.list('?per_page=100')).items;
    expect(new Set(listed.map(({ last_message }) => last_message))).toEqual(
      new Set(others.map((_, index) => `to ${index}`)),
    );
  });

  it('of many accounts to many chats share transactions above the concurrency limit', async () => {
    const pairs = await Promise.all(
      others.map(async (other) => ({ other, chat: await ann.createGroup([other.id]) })),
    );
    const sends = () =>
      Promise.all(
        pairs.map(({ other, chat }) => sendConcurrently(test, chat, [by(other, `of ${other.id}`)])),
      );
    // Four sends run concurrently in their own transactions, and the other sixteen share one.
    expect(await countTransactions(test, sends)).toBe(5);
    expect(await Promise.all(pairs.map(({ chat }) => contentsOf(ann, chat)))).toEqual(
      others.map(({ id }) => [`of ${id}`]),
    );
  });

  it('store one event row for each member', async () => {
    const group = await ann.createGroup(others.map(({ id }) => id));
    const [reader] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    await ann.add(group, reader.id);
    const [rows, payloads] = [await countOf('events'), await countOf('event_payloads')];
    const texts = Array.from({ length: 13 }, (_, index) => `message ${index}`);
    await sendConcurrently(
      test,
      group,
      texts.map((text) => by(ann, text)),
    );
    // The first message has its own rows; the other twelve share a row per member and one for the shared part.
    const written = [await countOf('events'), await countOf('event_payloads')];
    expect(written).toEqual([rows + 2 * 22, payloads + 2]);
    expect(await eventsOf(reader)).toEqual([
      [1, 'conversation.updated', undefined],
      ...texts.map((text, index) => [index + 2, text, index + 1]),
    ]);
    // Starts in the middle of a shared row, and respects the limit.
    const { items, next_after } = (await reader.api.get('/api/events/poll?after=5&limit=3')).body.data;
    expect(items.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
      'message 4',
      'message 5',
      'message 6',
    ]);
    expect(next_after).toBe(8);
  });

  it('do not fail when the database rejects one of them', async () => {
    const group = await ann.createGroup(others.map(({ id }) => id));
    await test.query(
      isSqlite(test.app.get(DataSource).manager)
        ? `CREATE TRIGGER poison BEFORE INSERT ON messages WHEN NEW.content = 'poison'
           BEGIN SELECT RAISE(ABORT, 'refused'); END`
        : `CREATE TRIGGER poison BEFORE INSERT ON messages FOR EACH ROW
           IF NEW.content = 'poison' THEN SIGNAL SQLSTATE '45000'; END IF`,
    );
    const [ben, cat] = others as [ChatUser, ChatUser];
    const wanted = [by(ann, 'first'), by(ben, 'second'), by(cat, 'poison'), by(ann, 'third')];
    expect(await sendConcurrently(test, group, wanted)).toEqual([
      expect.any(Number),
      expect.any(Number),
      'another error',
      expect.any(Number),
    ]);
    expect(await contentsOf(ann, group)).toEqual(['first', 'second', 'third']);
    await test.query('DROP TRIGGER poison');
  });

  it('of two instances are queued without gaps in the logs', async () => {
    const second = await createTestApp({ database: test.database });
    const ids = newUserIds(8);
    const here = await ChatUser.signInAll(test.api, ids);
    const there = await ChatUser.signInAll(second.api, ids);
    const [owner] = here as [ChatUser];
    const groups = await Promise.all(Array.from({ length: 10 }, () => owner.createGroup(ids.slice(1))));
    const responses = await Promise.all(
      groups.flatMap((_, turn) =>
        ids.flatMap((_id, index) => {
          const text = { type: 'text', content: `${turn}` };
          const [forth, back] = [groups[(turn + index) % 10] ?? 0, groups[(19 - turn - index) % 10] ?? 0];
          const [one, other] = [here[index], there[index]] as [ChatUser, ChatUser];
          return [
            one.trySend(forth, text),
            other.trySend(back, text),
            other.api.post(`/api/messages/conversations/${forth}/read`, {}),
          ];
        }),
      ),
    );
    expect([...new Set(responses.map(({ body }) => body.code))]).toEqual([0]);
    const gaps = await test.query(
      `SELECT e.user_id, SUM(e.run_length) AS events, c.last_seq FROM events e
       JOIN event_cursors c ON c.user_id = e.user_id GROUP BY e.user_id, c.last_seq
       HAVING SUM(e.run_length) <> c.last_seq`,
    );
    expect(gaps).toEqual([]);
    for (const reader of here) {
      const seqs = (await eventsOf(reader)).map((event) => (event as [number])[0]);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
    await second.close();
  });
});
