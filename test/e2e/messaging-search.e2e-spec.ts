import { SearchIndexService } from '../../src/messaging/search/search-index.service';
import { stopJobs } from '../support/jobs';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

interface Found {
  items: {
    message: { id: number; content: string };
    conversation: { id: number; type: string; name: string; avatar: string | null };
    snippet: string;
    highlights: [number, number][];
    offset: number;
  }[];
  next_cursor: string | null;
}

describe('GET /api/messages/search', () => {
  let test: TestApp;
  let [ann, ben, cat] = [] as unknown as [ChatUser, ChatUser, ChatUser];
  beforeAll(async () => {
    test = await createTestApp();
    // A background run of the indexing would leave no work to the run that a test awaits.
    await stopJobs(test);
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  afterAll(() => test?.close());

  const search = async (user: ChatUser, query: Record<string, unknown>): Promise<Found> =>
    dataOf(await user.api.get(`/api/messages/search?${new URLSearchParams(query as never).toString()}`));
  /** Contents of all pages. */
  async function found(user: ChatUser, query: Record<string, unknown>): Promise<string[]> {
    const contents: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search(user, { ...query, ...(cursor !== undefined && { cursor }) });
      contents.push(...page.items.map(({ message }) => message.content));
      cursor = page.next_cursor;
    }
    return contents;
  }

  async function filtersOf(conversation: number): Promise<number> {
    const sql = `SELECT COUNT(*) AS count FROM message_filters WHERE conversation_id = ${conversation}`;
    const [row] = (await test.query(sql)) as { count: number | string }[];
    return Number(row?.count);
  }

  it('returns messages that contain the keyword, newest first, with snippet, conversation and offset', async () => {
    const group = await ann.createGroup([2], 'Trip');
    const first = await ann.send(group, 'Shall we MEET at noon?');
    await ben.send(group, 'Yes');
    const second = await ben.send(group, 'Let us meet at the station');
    const conversation = { id: group, type: 'group', name: 'Trip', avatar: null };
    expect(await search(ann, { keyword: 'Meet' })).toMatchObject({
      items: [
        {
          message: { id: second.id },
          conversation,
          snippet: 'Let us meet at the station',
          highlights: [[7, 4]],
          offset: 0,
        },
        {
          message: { id: first.id },
          conversation,
          snippet: 'Shall we MEET at noon?',
          highlights: [[9, 4]],
          offset: 2,
        },
      ],
      next_cursor: null,
    });
    expect(await found(cat, { keyword: 'meet' })).toEqual([]);
  });

  it('names the peer of a single chat', async () => {
    const chat = await ann.openSingle(3);
    await cat.send(chat, '明天下午开会');
    expect(await search(ann, { keyword: '下午' })).toMatchObject({
      items: [
        {
          conversation: { id: chat, type: 'single', name: 'Cat' },
          snippet: '明天下午开会',
          highlights: [[2, 2]],
        },
      ],
    });
  });

  it('finds no recalled, deleted or cleared message, and none from before joining', async () => {
    const group = await ann.createGroup([2]);
    const recalled = await ann.send(group, 'orchid one');
    const deleted = await ann.send(group, 'orchid two');
    await ann.send(group, 'orchid three');
    dataOf(await ann.api.post(`/api/messages/${recalled.id}/recall`));
    dataOf(await ben.api.delete(`/api/messages/${deleted.id}`));
    await ann.add(group, 3);
    await ann.send(group, 'orchid four');
    expect(await found(ann, { keyword: 'orchid' })).toEqual(['orchid four', 'orchid three', 'orchid two']);
    expect(await found(ben, { keyword: 'orchid' })).toEqual(['orchid four', 'orchid three']);
    expect(await found(cat, { keyword: 'orchid' })).toEqual(['orchid four']);
    dataOf(await ben.api.post(`/api/messages/conversations/${group}/clear`));
    expect(await found(ben, { keyword: 'orchid' })).toEqual([]);
  });

  it('filters by conversation, sender, type, time and content', async () => {
    const [one, other] = [await ann.createGroup([2]), await ann.createGroup([2])];
    await ann.send(one, 'lime https://example.org');
    await ben.send(one, 'lime');
    await ann.send(other, 'https://example.org/a', { type: 'file', extra: { name: 'Lime.pdf' } });
    await ann.send(other, '31.2,121.4', { type: 'location', extra: { title: 'Lime Street' } });
    const contents = (query: object): Promise<string[]> => found(ann, { keyword: 'lime', ...query });
    expect(await contents({})).toEqual([
      '31.2,121.4',
      'https://example.org/a',
      'lime',
      'lime https://example.org',
    ]);
    expect(await contents({ conversation_id: one })).toEqual(['lime', 'lime https://example.org']);
    expect(await contents({ sender_id: 2 })).toEqual(['lime']);
    expect(await contents({ type: 'location' })).toEqual(['31.2,121.4']);
    expect(await contents({ has: 'attachment' })).toEqual(['https://example.org/a']);
    expect(await contents({ has: 'link' })).toEqual(['lime https://example.org']);
    expect(await contents({ from: '2100-01-01' })).toEqual([]);
    expect(await contents({ to: '2000-01-01' })).toEqual([]);
  });

  it('partitions the hits into pages', async () => {
    const group = await ann.createGroup([2]);
    for (let count = 0; count < 7; count += 1) await ann.send(group, `page ${count}`);
    const pages = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search(ann, { keyword: 'page', limit: 3, ...(cursor !== undefined && { cursor }) });
      pages.push(page.items.map(({ message }) => message.content));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual([['page 6', 'page 5', 'page 4'], ['page 3', 'page 2', 'page 1'], ['page 0']]);
  });

  it('compares at most a million characters per request, and continues with the next one', async () => {
    const group = await ann.createGroup([2]);
    await ann.send(group, 'needle');
    const long = 'Ж'.repeat(5_000);
    await Promise.all(Array.from({ length: 210 }, () => ann.send(group, long)));
    const first = await search(ann, { keyword: 'needle', conversation_id: group });
    expect([first.items, first.next_cursor === null]).toEqual([[], false]);
    expect(await found(ann, { keyword: 'needle', conversation_id: group })).toEqual(['needle']);
  });

  it('finds edited messages by their new text only, also after their filter was built', async () => {
    const group = await ann.createGroup([2]);
    const message = await ann.send(group, 'kestrel');
    await Promise.all(Array.from({ length: 150 }, (_, index) => ann.send(group, `filler ${index}`)));
    await test.app.get(SearchIndexService).build();
    expect(await filtersOf(group)).toBe(1);
    expect(await found(ann, { keyword: 'kestrel' })).toEqual(['kestrel']);
    dataOf(await ann.api.put(`/api/messages/${message.id}`, { content: 'buzzard' }));
    expect(await found(ann, { keyword: 'buzzard' })).toEqual(['buzzard']);
    expect(await found(ann, { keyword: 'kestrel' })).toEqual([]);
    await test.query('DELETE FROM message_filters');
    expect(await found(ann, { keyword: 'buzzard' })).toEqual(['buzzard']);
  });

  it('builds no filters for a group that is being removed', async () => {
    const group = await ann.createGroup();
    await Promise.all(Array.from({ length: 150 }, (_, index) => ann.send(group, `filler ${index}`)));
    await ann.leave(group);
    await test.app.get(SearchIndexService).build();
    expect(await filtersOf(group)).toBe(0);
  });

  it.each([
    [{ keyword: '' }, 'keyword 字段不能为空'],
    [{ keyword: 'a'.repeat(101) }, 'keyword 长度不能超过 100 个字符'],
    [{ keyword: 'a', limit: 51 }, 'limit 不能大于 50'],
    [{ keyword: 'a', has: 'music' }, 'has 取值无效'],
    [{ keyword: 'a', type: 'notice' }, 'type 取值无效'],
    [{ keyword: 'a', cursor: 'x' }, 'cursor 取值无效'],
    [{ keyword: 'a', from: '2026-02-01', to: '2026-01-01' }, 'to 取值无效'],
  ])('rejects %j', async (query, message) => {
    const response = await ann.api.get(
      `/api/messages/search?${new URLSearchParams(query as never).toString()}`,
    );
    expect(errorOf(response)).toEqual([422, message]);
  });

  it('rejects a cursor of another search', async () => {
    const group = await ann.createGroup([2]);
    await ann.send(group, 'plum');
    await ann.send(group, 'plum');
    const { next_cursor } = await search(ann, { keyword: 'plum', limit: 1 });
    const response = await ann.api.get(`/api/messages/search?keyword=pear&cursor=${next_cursor}`);
    expect(errorOf(response)).toEqual([422, 'cursor 取值无效']);
  });

  it('rejects a conversation of which the user is not a member', async () => {
    const group = await ann.createGroup([2]);
    const response = await cat.api.get(`/api/messages/search?keyword=a&conversation_id=${group}`);
    expect(errorOf(response)).toEqual([403, '无权访问此会话']);
  });
});
