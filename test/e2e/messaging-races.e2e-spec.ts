import { DataSource } from 'typeorm';
import type { ApiResponse } from '../support/api-client';
import { ChatUser, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const REPETITIONS = raceRounds(50);
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const isSuccess = ({ body }: ApiResponse): boolean => body.code === 0;

describe('Concurrent messaging requests', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, [1, 2, 3])) as [ChatUser, ChatUser, ChatUser];
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  it('keep one content for one client_msg_id with several', async () => {
    const group = await ann.createGroup([2]);
    for (let round = 0; round < REPETITIONS; round += 1) {
      const body = { type: 'text', client_msg_id: `mixed ${round}` };
      const responses = await times(4, (index) => ann.trySend(group, { ...body, content: `${index}` }));
      expect(responses.filter(isSuccess)).toHaveLength(1);
      const refused = responses.filter((response) => !isSuccess(response)).map(errorOf);
      expect(refused).toEqual(Array.from({ length: 3 }, () => [409, '请求标识已被使用']));
    }
  });

  it('number the messages of 64 members without a gap at any time', async () => {
    const senders = await ChatUser.signInAll(
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
        // On SQLite a request can run within one turn of the event loop.
        await new Promise(setImmediate);
      }
    };
    const presence = [watch(), watch()];
    await Promise.all(
      senders.map(async (sender) => {
        for (let round = 0; round < 4; round += 1) await sender.send(group, `${sender.id}`);
      }),
    );
    end.abort();
    await Promise.all(presence);

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

  it('create one single chat', async () => {
    for (let round = 0; round < REPETITIONS; round += 1) {
      const [one, other] = (await ChatUser.signInAll(test.api, [1000 + 2 * round, 1001 + 2 * round])) as [
        ChatUser,
        ChatUser,
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

  it('keep a message unread that arrives during a read of the history, unless it was counted', async () => {
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

  it('never mark more read than the history counted, with three senders', async () => {
    const senders = await ChatUser.signInAll(test.api, [41, 42, 43]);
    const group = await ann.createGroup([2, 41, 42, 43]);
    const totals: number[] = [];
    const end = new AbortController();
    const watch = async (): Promise<void> => {
      while (!end.signal.aborted || totals.length < REPETITIONS) {
        totals.push((await ben.history(group, '?per_page=1')).pagination.total);
        await new Promise(setImmediate);
      }
    };
    const presence = [watch(), watch()];
    await Promise.all(
      senders.map(async (sender) => {
        // Always so many that reads of the history come between them.
        for (let round = 0; round < 50; round += 1) await sender.send(group);
      }),
    );
    end.abort();
    await Promise.all(presence);
    const advances: { to_seq: number }[] = await test.app
      .get(DataSource)
      .query('SELECT to_seq FROM read_intervals WHERE conversation_id = ? AND user_id = 2', [group]);
    expect(advances.length).toBeGreaterThan(1);
    expect(totals).toEqual(expect.arrayContaining(advances.map(({ to_seq }) => to_seq)));
  });

  it('read everything once on several terminals', async () => {
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

  it('read every message once for a user who sends on one terminal and reads on another', async () => {
    for (const chat of [await ann.openSingle(3), await ann.createGroup([3])]) {
      for (let round = 0; round < REPETITIONS; round += 1) {
        await cat.send(chat, `question ${round}`);
        const responses = await Promise.all([
          ann.tryRead(chat),
          ann.trySend(chat, { type: 'text', content: `answer ${round}` }),
          ann.tryHistory(chat),
        ]);
        expect(responses.filter((response) => !isSuccess(response)).map(errorOf)).toEqual([]);
      }
      expect(await ann.unreadOf(chat)).toBe(0);
    }
  });

  it('keep the unread count correct during a recall and a read', async () => {
    const group = await ann.createGroup([2, 3]);
    for (let round = 0; round < REPETITIONS; round += 1) {
      const [gone] = [await ann.send(group), await ann.send(group)];
      const responses = await Promise.all([
        ann.recall(gone.id),
        ben.history(group),
        cat.unreadOf(group),
        ann.recall(gone.id),
        ben.unreadOf(group),
      ]);
      expect([responses[0].is_recalled, responses[3].is_recalled]).toEqual([true, true]);
      expect(responses[2]).toBeGreaterThanOrEqual(1);
      expect(responses[4]).toBeGreaterThanOrEqual(0);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([0, 1]);
      await cat.read(group);
    }
  });

  it('deliver a message before the sender’s removal, or reject it', async () => {
    const group = await ann.createGroup([2, 3]);
    let delivered = 0;
    for (let round = 0; round < REPETITIONS; round += 1) {
      const body = { type: 'text', content: 'x' };
      const [sent] = await Promise.all([ben.trySend(group, body), ann.remove(group, 2)]);
      if (isSuccess(sent)) delivered += 1;
      else expect(errorOf(sent)).toEqual([403, '无权访问此会话']);
      expect((await cat.history(group)).pagination.total).toBe(delivered);
      await ann.add(group, 2);
    }
  });

  it('keep the member count correct during additions and departures', async () => {
    const others = await ChatUser.signInAll(test.api, [21, 22, 23, 24]);
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

  it('count groups of the same members for all of them', async () => {
    const [first, second] = (await ChatUser.signInAll(test.api, [31, 32])) as [ChatUser, ChatUser];
    await times(REPETITIONS, (index) =>
      index % 2 === 0 ? first.createGroup([32, 1]) : second.createGroup([1, 31]),
    );
    expect((await first.list()).pagination.total).toBe(REPETITIONS);
    expect((await second.list()).pagination.total).toBe(REPETITIONS);
  });
});

const pathOf = (group: number, member: number): string =>
  `/api/messages/conversations/${group}/members/${member}`;

async function sumOfUnread(chatUser: ChatUser): Promise<number> {
  const { items } = await chatUser.list('?per_page=100');
  return items.reduce((sum, { unread_count }) => sum + unread_count, 0);
}
