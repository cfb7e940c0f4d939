import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { ChatUser, errorOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const contents = (items: { content: string }[]): number[] => items.map(({ content }) => Number(content));

describe('The history', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterAll(() => test?.close());

  /** Sends messages of Ann with the contents `1` to `count`. Returns their ids, oldest first. */
  async function sendMany(count: number): Promise<number[]> {
    const ids = [];
    for (let index = 1; index <= count; index += 1) ids.push((await ann.send(group, String(index))).id);
    return ids;
  }

  it('has fifty messages per page, newest first', async () => {
    await sendMany(51);
    const { items, pagination } = await ben.history(group);
    expect(contents(items)).toEqual(Array.from({ length: 50 }, (_, index) => 51 - index));
    expect(pagination).toEqual({ total: 51, per_page: 50, current_page: 1, last_page: 2, has_more: true });
    const response = await ben.tryHistory(group, '?page=2');
    expect(contents(response.body.data.items)).toEqual([1]);
    expect(response.body.data.pagination.has_more).toBe(false);
    expect(response.headers['x-total-count']).toBe('51');
  });

  it('compresses a page of 64 KiB or more with the lowest brotli quality', async () => {
    for (let index = 0; index < 20; index += 1) await ann.send(group, '说'.repeat(1_200) + index);
    const { headers, rawPayload } = await test.app.inject({
      url: `/api/messages/conversations/${group}/messages?mark_read=0`,
      headers: { ...ben.api.headers, 'accept-encoding': 'br' },
    });
    expect(headers['content-encoding']).toBe('br');
    const bytes = brotliDecompressSync(rawPayload);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    expect(rawPayload).toEqual(brotliCompressSync(bytes, { params }));
  });

  it('is complete over pages of any size', async () => {
    await sendMany(12);
    for (const size of [1, 5, 6, 11, 12, 100]) {
      const seen: number[] = [];
      const pages = Math.ceil(12 / size);
      for (let page = 1; page <= pages; page += 1) {
        const { items, pagination } = await ben.history(group, `?page=${page}&per_page=${size}`);
        seen.push(...contents(items));
        expect(pagination).toMatchObject({ total: 12, last_page: pages, has_more: page < pages });
      }
      expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    }
    expect(await ben.history(group, '?page=2147483647&per_page=100')).toEqual({
      items: [],
      pagination: { total: 12, per_page: 100, current_page: 2_147_483_647, last_page: 1, has_more: false },
    });
  });

  it('is separate for concurrent users', async () => {
    const cat = await ChatUser.signIn(test.api, 3);
    const alone = await ann.createGroup([2]);
    await sendMany(2);
    await ann.send(alone, '7');
    const responses = await Promise.all([
      ben.tryHistory(group),
      cat.tryHistory(alone),
      cat.tryHistory(group, '?per_page=1'),
      ben.tryHistory(alone),
    ]);
    expect(responses.map(({ body }) => [body.code, contents(body.data?.items ?? [])])).toEqual([
      [0, [2, 1]],
      [403, []],
      [0, [2]],
      [0, [7]],
    ]);
  });

  it('is empty before the first message', async () => {
    expect(await ben.history(group)).toEqual({
      items: [],
      pagination: { total: 0, per_page: 50, current_page: 1, last_page: 1, has_more: false },
    });
  });

  it.each([
    ['page=0', 'page 不能小于 1'],
    ['per_page=101', 'per_page 不能大于 100'],
    ['per_page=0', 'per_page 不能小于 1'],
    ['per_page=x', 'per_page 必须是整数'],
    ['before_id=0', 'before_id 不能小于 1'],
    ['before_id=x', 'before_id 必须是整数'],
    ['after_id=-1', 'after_id 必须是整数'],
    ['mark_read=2', 'mark_read 取值无效'],
    ['mark_read=no', 'mark_read 必须是整数'],
    ['before_id=1&after_id=1', 'after_id 取值无效'],
  ])('rejects %s', async (query, message) => {
    expect(errorOf(await ben.tryHistory(group, `?${query}`))).toEqual([422, message]);
  });

  describe('around a message', () => {
    it('continues to older ones, ignoring page', async () => {
      const ids = await sendMany(7);
      const older = await ben.history(group, `?before_id=${ids[5]}&per_page=3&page=9`);
      expect(contents(older.items)).toEqual([5, 4, 3]);
      expect(older.pagination).toEqual({
        total: 7,
        per_page: 3,
        current_page: 1,
        last_page: 3,
        has_more: true,
      });
      const rest = await ben.history(group, `?before_id=${ids[2]}&per_page=3`);
      expect(contents(rest.items)).toEqual([2, 1]);
      expect(rest.pagination.has_more).toBe(false);
      const exactly = await ben.history(group, `?before_id=${ids[3]}&per_page=3`);
      expect([contents(exactly.items), exactly.pagination.has_more]).toEqual([[3, 2, 1], false]);
      expect((await ben.history(group, `?before_id=${ids[0]}`)).items).toEqual([]);
    });

    it('continues to newer ones, newest first', async () => {
      const ids = await sendMany(7);
      const newer = await ben.history(group, `?after_id=${ids[1]}&per_page=3`);
      expect(contents(newer.items)).toEqual([5, 4, 3]);
      expect(newer.pagination).toMatchObject({ total: 7, has_more: true });
      const rest = await ben.history(group, `?after_id=${ids[3]}&per_page=3`);
      expect([contents(rest.items), rest.pagination.has_more]).toEqual([[7, 6, 5], false]);
      const none = await ben.history(group, `?after_id=${ids[6]}`);
      expect([none.items, none.pagination.has_more, none.pagination.total]).toEqual([[], false, 7]);
    });

    it('is stable while messages arrive, unlike pages', async () => {
      const ids = await sendMany(6);
      await ann.send(group, '7');
      expect(contents((await ben.history(group, `?before_id=${ids[3]}&per_page=3`)).items)).toEqual([
        3, 2, 1,
      ]);
      expect(contents((await ben.history(group, '?page=2&per_page=3')).items)).toEqual([4, 3, 2]);
    });

    it('returns an error for a message that is not in the conversation or not visible', async () => {
      const [id] = await sendMany(2);
      const elsewhere = await ann.send(await ann.createGroup());
      await ben.leave(group);
      await ann.add(group, 2);
      for (const anchor of [id, elsewhere.id, 987_654_321])
        for (const side of ['before_id', 'after_id'])
          expect(errorOf(await ben.tryHistory(group, `?${side}=${anchor}`))).toEqual([404, '消息不存在']);
    });
  });

  it('begins with the user’s latest joining', async () => {
    await sendMany(2);
    const dan = await ChatUser.signIn(test.api, 4, 'Dan');
    await ann.add(group, 4);
    expect(await dan.history(group)).toMatchObject({ items: [], pagination: { total: 0 } });
    await ann.send(group, 'for Dan');
    expect((await dan.peek(group)).map(({ content }) => content)).toEqual(['for Dan']);
    expect(await dan.unreadOf(group)).toBe(1);
    await dan.leave(group);
    await ann.send(group, 'without Dan');
    await ann.add(group, 4);
    expect(await dan.unreadOf(group)).toBe(0);
    await ann.send(group, 'welcome back');
    expect((await dan.history(group)).items.map(({ content }) => content)).toEqual(['welcome back']);
  });
});
