import { DataSource } from 'typeorm';
import { isSqlite } from '../../src/database/sql/dialect';
import { newUserIds } from '../support/calls';
import { Chatter } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { sendTogether, transactionsOf, type Wanted } from '../support/sending';
import { createTestApp, type TestApp } from '../support/test-app';

const by = (sender: Chatter, content: string): Wanted => ({ by: sender.id, content });

describe('Sends that share a transaction', () => {
  let test: TestApp;
  let ann: Chatter;
  let others: Chatter[];
  beforeAll(async () => {
    test = await createTestApp();
    const people = await Chatter.meetAll(test.api, newUserIds(21));
    [ann, ...others] = people as [Chatter, ...Chatter[]];
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const contentsOf = async (who: Chatter, conversation: number): Promise<string[]> =>
    (await who.peek(conversation)).map(({ content }) => content).toReversed();
  const countOf = async (table: string): Promise<number> =>
    Number(((await test.query(`SELECT COUNT(*) AS n FROM ${table}`)) as [{ n: number | string }])[0].n);
  /** The types, contents and unread counts of everything that somebody was told, in order. */
  const toldTo = async (who: Chatter): Promise<unknown[]> =>
    (await who.api.get('/api/events/poll?limit=500')).body.data.items.map(
      (event: { id: number; type: string; message?: { content: string }; unread_count: number }) => [
        event.id,
        event.message?.content ?? event.type,
        event.unread_count,
      ],
    );

  it('are those of one account to many chats, all but the first', async () => {
    const chats = await Promise.all(others.map(({ id }) => ann.openSingle(id)));
    const sends = () =>
      Promise.all(chats.map((chat, index) => sendTogether(test, chat, [by(ann, `to ${index}`)])));
    expect(await transactionsOf(test, sends)).toBe(2);
    for (const [index, other] of others.entries()) {
      expect(await contentsOf(other, chats[index] ?? 0)).toEqual([`to ${index}`]);
      expect(await toldTo(other)).toEqual([
        [1, 'conversation.updated', undefined],
        [2, `to ${index}`, 1],
      ]);
    }
    const listed = (await ann.list('?per_page=100')).items;
    expect(new Set(listed.map(({ last_message }) => last_message))).toEqual(
      new Set(others.map((_, index) => `to ${index}`)),
    );
  });

  it('are those of many accounts to many chats, when more come than may be under way', async () => {
    const pairs = await Promise.all(
      others.map(async (other) => ({ other, chat: await ann.createGroup([other.id]) })),
    );
    const sends = () =>
      Promise.all(pairs.map(({ other, chat }) => sendTogether(test, chat, [by(other, `of ${other.id}`)])));
    // Four at once, each alone, and then the other sixteen.
    expect(await transactionsOf(test, sends)).toBe(5);
    expect(await Promise.all(pairs.map(({ chat }) => contentsOf(ann, chat)))).toEqual(
      others.map(({ id }) => [`of ${id}`]),
    );
  });

  it('are told of with one row for each member, however many they are', async () => {
    const group = await ann.createGroup(others.map(({ id }) => id));
    const [reader] = (await Chatter.meetAll(test.api, newUserIds(1))) as [Chatter];
    await ann.add(group, reader.id);
    const [rows, payloads] = [await countOf('events'), await countOf('event_payloads')];
    const texts = Array.from({ length: 13 }, (_, index) => `message ${index}`);
    await sendTogether(
      test,
      group,
      texts.map((text) => by(ann, text)),
    );
    // The first alone, then a run of twelve: a row each, and one for what they share.
    const written = [await countOf('events'), await countOf('event_payloads')];
    expect(written).toEqual([rows + 2 * 22, payloads + 2]);
    expect(await toldTo(reader)).toEqual([
      [1, 'conversation.updated', undefined],
      ...texts.map((text, index) => [index + 2, text, index + 1]),
    ]);
    // From the middle of the run on, and no further than asked.
    const { items, next_after } = (await reader.api.get('/api/events/poll?after=5&limit=3')).body.data;
    expect(items.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
      'message 4',
      'message 5',
      'message 6',
    ]);
    expect(next_after).toBe(8);
  });

  it('do not fail because of one that the database refuses', async () => {
    const group = await ann.createGroup(others.map(({ id }) => id));
    await test.query(
      isSqlite(test.app.get(DataSource).manager)
        ? `CREATE TRIGGER poison BEFORE INSERT ON messages WHEN NEW.content = 'poison'
           BEGIN SELECT RAISE(ABORT, 'refused'); END`
        : `CREATE TRIGGER poison BEFORE INSERT ON messages FOR EACH ROW
           IF NEW.content = 'poison' THEN SIGNAL SQLSTATE '45000'; END IF`,
    );
    const [ben, cat] = others as [Chatter, Chatter];
    const wanted = [by(ann, 'first'), by(ben, 'second'), by(cat, 'poison'), by(ann, 'third')];
    expect(await sendTogether(test, group, wanted)).toEqual([
      expect.any(Number),
      expect.any(Number),
      'another error',
      expect.any(Number),
    ]);
    expect(await contentsOf(ann, group)).toEqual(['first', 'second', 'third']);
    await test.query('DROP TRIGGER poison');
  });

  it('of two instances queue, and every log stays without a gap', async () => {
    const second = await createTestApp({ database: test.database });
    const ids = newUserIds(8);
    const here = await Chatter.meetAll(test.api, ids);
    const there = await Chatter.meetAll(second.api, ids);
    const [owner] = here as [Chatter];
    const groups = await Promise.all(Array.from({ length: 10 }, () => owner.createGroup(ids.slice(1))));
    const answers = await Promise.all(
      groups.flatMap((_, turn) =>
        ids.flatMap((_id, index) => {
          const text = { type: 'text', content: `${turn}` };
          const [forth, back] = [groups[(turn + index) % 10] ?? 0, groups[(19 - turn - index) % 10] ?? 0];
          const [one, other] = [here[index], there[index]] as [Chatter, Chatter];
          return [
            one.trySend(forth, text),
            other.trySend(back, text),
            other.api.post(`/api/messages/conversations/${forth}/read`, {}),
          ];
        }),
      ),
    );
    expect([...new Set(answers.map(({ body }) => body.code))]).toEqual([0]);
    const gaps = await test.query(
      `SELECT e.user_id, SUM(e.run_length) AS events, c.last_seq FROM events e
       JOIN event_cursors c ON c.user_id = e.user_id GROUP BY e.user_id, c.last_seq
       HAVING SUM(e.run_length) <> c.last_seq`,
    );
    expect(gaps).toEqual([]);
    for (const reader of here) {
      const seqs = (await toldTo(reader)).map((event) => (event as [number])[0]);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
    await second.close();
  });
});
