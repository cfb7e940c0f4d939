import { DataSource } from 'typeorm';
import type { Answer } from '../support/api-client';
import { Chatter, verdictOf } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const REPETITIONS = raceRounds(50);
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const isSuccess = ({ body }: Answer): boolean => body.code === 0;

describe('Raced', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = (await Chatter.meetAll(test.api, [1, 2, 3])) as [Chatter, Chatter, Chatter];
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  it('sends of one client_msg_id with several contents keep one content', async () => {
    const group = await ann.createGroup([2]);
    for (let round = 0; round < REPETITIONS; round += 1) {
      const body = { type: 'text', client_msg_id: `mixed ${round}` };
      const answers = await times(4, (index) => ann.trySend(group, { ...body, content: `${index}` }));
      expect(answers.filter(isSuccess)).toHaveLength(1);
      const refused = answers.filter((answer) => !isSuccess(answer)).map(verdictOf);
      expect(refused).toEqual(Array.from({ length: 3 }, () => [409, '请求标识已被使用']));
    }
  });

  it('sends of 64 members are numbered without a gap, and no reader ever sees one', async () => {
    const senders = await Chatter.meetAll(
      test.api,
      Array.from({ length: 64 }, (_, index) => 100 + index),
    );
    const group = await ann.createGroup(senders.map(({ id }) => id));
    const views: { total: number; ids: number[] }[] = [];
    const end = new AbortController();
    const watch = async (): Promise<void> => {
      while (!end.signal.aborted) {
        const { items, pagination } = await ann.history(group, '?per_page=100');
        views.push({ total: pagination.total, ids: items.map(({ id }) => id) });
        // On the embedded database a whole request can pass without the event loop turning once.
        await new Promise(setImmediate);
      }
    };
    const watching = [watch(), watch()];
    await Promise.all(
      senders.map(async (sender) => {
        for (let round = 0; round < 4; round += 1) await sender.send(group, `${sender.id}`);
      }),
    );
    end.abort();
    await Promise.all(watching);

    const oldestFirst: number[] = [];
    for (const page of [3, 2, 1]) {
      const { items } = await ann.history(group, `?per_page=100&page=${page}`);
      oldestFirst.push(...items.map(({ id }) => id).toReversed());
    }
    expect(oldestFirst).toHaveLength(256);
    expect(oldestFirst).toEqual(oldestFirst.toSorted((a, b) => a - b));
    expect(views.length).toBeGreaterThan(1);
    for (const { total, ids } of views) {
      expect(ids).toEqual(oldestFirst.slice(Math.max(0, total - 100), total).toReversed());
    }
  });

  it('creations of one single chat make one', async () => {
    for (let round = 0; round < REPETITIONS; round += 1) {
      const [one, other] = (await Chatter.meetAll(test.api, [1000 + 2 * round, 1001 + 2 * round])) as [
        Chatter,
        Chatter,
      ];
      const ids = await Promise.all([
        one.openSingle(other.id),
        other.openSingle(one.id),
        one.openSingle(other.id),
        other.openSingle(one.id),
      ]);
      expect(new Set(ids).size).toBe(1);
      expect([await one.listedIds(), await other.listedIds()]).toEqual([[ids[0]], [ids[0]]]);
    }
  });

  it('a message that arrives while the history is read stays unread unless it was counted', async () => {
    const group = await ann.createGroup([2, 3]);
    let total = 0;
    for (let round = 0; round < REPETITIONS; round += 1) {
      const [page] = await Promise.all([
        ben.history(group, '?per_page=5'),
        ann.send(group),
        ann.send(group),
        cat.history(group),
      ]);
      total += 2;
      expect(page.items).toHaveLength(Math.min(5, page.pagination.total));
      expect(page.items.every(({ is_read, read_at }) => is_read && read_at !== null)).toBe(true);
      expect(await ben.unreadOf(group)).toBe(total - page.pagination.total);
      expect(await ben.unreadTotal()).toBe(await sumOfUnread(ben));
    }
  });

  it('a history never marks more read than it counted, while three people keep sending', async () => {
    const senders = await Chatter.meetAll(test.api, [41, 42, 43]);
    const group = await ann.createGroup([2, 41, 42, 43]);
    const totals: number[] = [];
    const end = new AbortController();
    const watch = async (): Promise<void> => {
      while (!end.signal.aborted || totals.length < REPETITIONS) {
        totals.push((await ben.history(group, '?per_page=1')).pagination.total);
        await new Promise(setImmediate);
      }
    };
    const watching = [watch(), watch()];
    await Promise.all(
      senders.map(async (sender) => {
        for (let round = 0; round < REPETITIONS; round += 1) await sender.send(group);
      }),
    );
    end.abort();
    await Promise.all(watching);
    const advances: { to_seq: number }[] = await test.app
      .get(DataSource)
      .query('SELECT to_seq FROM read_intervals WHERE conversation_id = ? AND user_id = 2', [group]);
    expect(advances.length).toBeGreaterThan(1);
    expect(totals).toEqual(expect.arrayContaining(advances.map(({ to_seq }) => to_seq)));
  });

  it('reading on several terminals reads everything once', async () => {
    const group = await ann.createGroup([2, 3]);
    for (let round = 0; round < REPETITIONS; round += 1) {
      const [first, second] = [await ann.send(group), await ann.send(group)];
      const counts = await Promise.all([
        ben.read(group, first.id),
        ben.read(group, second.id),
        ben.read(group),
        cat.read(group, second.id),
        ben.history(group).then(() => 0),
      ]);
      expect(counts.every((count) => count === 0 || count === 1)).toBe(true);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([0, 0]);
    }
  });

  it('one who sends on one terminal and reads on another reads every message once', async () => {
    for (const chat of [await ann.openSingle(3), await ann.createGroup([3])]) {
      for (let round = 0; round < REPETITIONS; round += 1) {
        await cat.send(chat, `question ${round}`);
        const answers = await Promise.all([
          ann.tryRead(chat),
          ann.trySend(chat, { type: 'text', content: `answer ${round}` }),
          ann.tryHistory(chat),
        ]);
        expect(answers.filter((answer) => !isSuccess(answer)).map(verdictOf)).toEqual([]);
      }
      expect(await ann.unreadOf(chat)).toBe(0);
    }
  });

  it('a recall and a reading leave the count right', async () => {
    const group = await ann.createGroup([2, 3]);
    for (let round = 0; round < REPETITIONS; round += 1) {
      const [gone] = [await ann.send(group), await ann.send(group)];
      const answers = await Promise.all([
        ann.recall(gone.id),
        ben.history(group),
        cat.unreadOf(group),
        ann.recall(gone.id),
        ben.unreadOf(group),
      ]);
      expect([answers[0].is_recalled, answers[3].is_recalled]).toEqual([true, true]);
      expect(answers[2]).toBeGreaterThanOrEqual(1);
      expect(answers[4]).toBeGreaterThanOrEqual(0);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([0, 1]);
      await cat.read(group);
    }
  });

  it('a send and a removal: delivered before, or refused', async () => {
    const group = await ann.createGroup([2, 3]);
    let delivered = 0;
    for (let round = 0; round < REPETITIONS; round += 1) {
      const body = { type: 'text', content: 'x' };
      const [sent] = await Promise.all([ben.trySend(group, body), ann.remove(group, 2)]);
      if (isSuccess(sent)) delivered += 1;
      else expect(verdictOf(sent)).toEqual([403, '无权访问此会话']);
      expect((await cat.history(group)).pagination.total).toBe(delivered);
      await ann.add(group, 2);
    }
  });

  it('additions and departures keep the members counted', async () => {
    const others = await Chatter.meetAll(test.api, [21, 22, 23, 24]);
    const group = await ann.createGroup();
    for (let round = 0; round < REPETITIONS; round += 1) {
      await Promise.all([
        ann.add(group, 21, 22, 23),
        ann.add(group, 24, 23, 22),
        ann.tryRemove(group, 21),
        ann.send(group),
      ]);
      expect((await ann.conversation(group)).member_count).toBeGreaterThanOrEqual(4);
      await Promise.all(others.map((other) => other.api.delete(pathOf(group, other.id))));
      expect((await ann.conversation(group)).member_count).toBe(1);
    }
  });

  it('groups that are made of the same people are counted for all of them', async () => {
    const [first, second] = (await Chatter.meetAll(test.api, [31, 32])) as [Chatter, Chatter];
    await times(REPETITIONS, (index) =>
      index % 2 === 0 ? first.createGroup([32, 1]) : second.createGroup([1, 31]),
    );
    expect((await first.list()).pagination.total).toBe(REPETITIONS);
    expect((await second.list()).pagination.total).toBe(REPETITIONS);
  });
});

const pathOf = (group: number, member: number): string =>
  `/api/messages/conversations/${group}/members/${member}`;

async function sumOfUnread(chatter: Chatter): Promise<number> {
  const { items } = await chatter.list('?per_page=100');
  return items.reduce((sum, { unread_count }) => sum + unread_count, 0);
}
