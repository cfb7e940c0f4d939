import { DataSource } from 'typeorm';
import { ChatUser, errorOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];

describe('The readers of a message', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
    await ChatUser.signIn(test.api, 4, 'Dan');
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterAll(() => test?.close());

  const readerIds = async (message: number, query = ''): Promise<number[]> =>
    (await ann.readers(message, query)).items.map(({ user_id }) => user_id);

  it('are empty at first', async () => {
    const { id } = await ann.send(group);
    expect(await ann.readers(id)).toEqual({
      items: [],
      pagination: { total: 0, per_page: 50, current_page: 1, last_page: 1, has_more: false },
      read_count: 0,
      unread_count: 2,
    });
  });

  it('are sorted by time, earliest first', async () => {
    const { id } = await ann.send(group);
    test.clock.advance(5);
    await cat.read(group);
    test.clock.advance(5);
    await ben.read(group);
    expect(await ann.readers(id)).toEqual({
      items: [
        { user_id: 3, name: 'Cat', avatar: null, read_at: '2026-01-31 16:00:05' },
        { user_id: 2, name: 'Ben', avatar: null, read_at: '2026-01-31 16:00:10' },
      ],
      pagination: { total: 2, per_page: 50, current_page: 1, last_page: 1, has_more: false },
      read_count: 2,
      unread_count: 0,
    });
  });

  it('are returned in pages, with equal times by the lower id', async () => {
    const { id } = await ann.send(group);
    await cat.read(group);
    await ben.read(group);
    expect(await readerIds(id)).toEqual([2, 3]);
    expect(await readerIds(id, '?per_page=1&page=2')).toEqual([3]);
    expect((await ann.tryReaders(id, '?per_page=1')).headers['x-total-count']).toBe('2');
    expect((await ann.readers(id, '?per_page=1&page=3')).pagination).toMatchObject({
      total: 2,
      last_page: 2,
    });
    expect(errorOf(await ann.tryReaders(id, '?per_page=101'))).toEqual([422, 'per_page 不能大于 100']);
  });

  it('are separate for each message', async () => {
    const [first, second] = [await ann.send(group), await ann.send(group)];
    test.clock.advance(5);
    await ben.read(group, first.id);
    test.clock.advance(5);
    await ben.send(group);
    expect((await ann.readers(first.id)).items).toMatchObject([{ read_at: '2026-01-31 16:00:05' }]);
    expect((await ann.readers(second.id)).items).toMatchObject([{ read_at: '2026-01-31 16:00:10' }]);
    expect(await ann.readers(second.id)).toMatchObject({ read_count: 1, unread_count: 1 });
  });

  it('are members since it was sent', async () => {
    const { id } = await ann.send(group);
    await ann.add(group, 4);
    await ben.read(group);
    await cat.read(group);
    await cat.leave(group);
    expect(await readerIds(id)).toEqual([2]);
    await ann.add(group, 3);
    expect(await ann.readers(id)).toMatchObject({ items: [{ user_id: 2 }], read_count: 1, unread_count: 0 });
  });

  it('are only the peer in a single chat', async () => {
    const single = await ann.openSingle(2);
    const { id } = await ann.send(single);
    expect(await ann.readers(id)).toMatchObject({ items: [], read_count: 0, unread_count: 1 });
    await ben.history(single);
    expect(await ann.readers(id)).toMatchObject({ items: [{ user_id: 2 }], read_count: 1, unread_count: 0 });
  });

  it('remain after a recall', async () => {
    const { id } = await ann.send(group);
    await ben.read(group);
    await ann.recall(id);
    expect(await readerIds(id)).toEqual([2]);
  });

  it('are visible to the sender, as a current member', async () => {
    const { id } = await ben.send(group);
    expect(errorOf(await ann.tryReaders(id))).toEqual(NOT_FOUND);
    expect(errorOf(await ben.tryReaders(987_654_321))).toEqual(NOT_FOUND);
    expect(errorOf(await ben.api.get('/api/messages/x/readers'))).toEqual([422, 'id 必须是整数']);
    await ben.leave(group);
    expect(errorOf(await ben.tryReaders(id))).toEqual(NOT_FOUND);
    await ann.add(group, 2);
    expect(errorOf(await ben.tryReaders(id))).toEqual(NOT_FOUND);
  });

  it('equal the counts of the history, for any reads', async () => {
    const sent = [];
    for (let index = 0; index < 6; index += 1) {
      sent.push(await ann.send(group));
      if (index === 1) await ben.read(group);
      if (index === 3) await cat.read(group, sent[2]?.id);
    }
    for (const message of await ann.peek(group)) {
      const { read_count, unread_count, items } = await ann.readers(message.id);
      expect([read_count, unread_count]).toEqual([message.read_count, message.unread_count]);
      expect(items).toHaveLength(message.read_count);
    }
  });

  it('need two look-ups each, regardless of later reads', async () => {
    const { id } = await ann.send(group);
    await ben.read(group);
    const dataSource = test.app.get(DataSource);
    const isSqlite = dataSource.options.type === 'better-sqlite3';
    const sql = `SELECT MIN(i.to_seq) FROM read_intervals i
      WHERE i.conversation_id = ${group} AND i.user_id = 2 AND i.to_seq >= 1`;
    const plan = JSON.stringify(await dataSource.query(`EXPLAIN ${isSqlite ? 'QUERY PLAN ' : ''}${sql}`));
    // SQLite reads one end of a range of the key; MySQL reads the index while it optimises the statement.
    expect(plan).toMatch(isSqlite ? /SEARCH i USING PRIMARY KEY/ : /Select tables optimized away/);
    expect(await readerIds(id)).toEqual([2]);
  });
});
