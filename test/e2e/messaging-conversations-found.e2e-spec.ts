import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

const URL = '/api/messages/conversations';

describe('The keyword of GET /api/messages/conversations', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('returns conversations whose name, or the name or account of the peer, contains it, regardless of case', async () => {
    const [me, peer] = (await ChatUser.signInAll(test.api, [100, 101])) as [ChatUser, ChatUser];
    await test.query(`UPDATE users SET name = 'Zoë Straße', account = 'Zoe.77' WHERE id = ${peer.id}`);
    const single = await me.openSingle(peer.id);
    const group = (await me.api.post(URL, { type: 'group', name: '周末 ZOË', member_ids: [peer.id] })).body
      .data.id;
    await me.createGroup([peer.id]);
    const found = async (query: string): Promise<number[]> => me.listedIds(`?${query}`);
    expect(await found('keyword=zo%C3%AB')).toEqual([group, single]);
    expect(await found('keyword=strasse')).toEqual([single]);
    expect(await found('keyword=OE.7')).toEqual([single]);
    expect(await found('keyword=%E6%9C%AB')).toEqual([group]);
    expect(await found('keyword=%25')).toEqual([]);
    expect(await found('keyword=zo%C3%AB&type=group')).toEqual([group]);
    await me.settings(single, { hidden: true });
    expect(await found('keyword=zo%C3%AB')).toEqual([group]);
    expect(await found('keyword=zo%C3%AB&hidden=1')).toEqual([single]);
    await me.settings(single, { hidden: false, pinned: true });
    const { items, pagination } = await me.list('?keyword=zo%C3%AB&per_page=1&page=2');
    expect([items.map(({ id }: { id: number }) => id), pagination.total]).toEqual([[group], 2]);
    expect(await me.api.get(`${URL}?keyword=${'x'.repeat(65)}`)).toMatchObject({
      status: 422,
      body: { message: 'keyword 长度不能超过 64 个字符' },
    });
  });

  it('returns pages in the order of the list, with large groups, and reads the rows of the page only', async () => {
    const [me, peer] = (await ChatUser.signInAll(test.api, [102, 103])) as [ChatUser, ChatUser];
    const groups: number[] = [];
    for (const name of ['Room 1', 'Room 2', 'Room 3']) {
      test.clock.advance(1);
      groups.push(await me.createGroup([peer.id], name));
    }
    const [first = 0, second = 0, third = 0] = groups;
    await switchToLargeGroup(test, first);
    test.clock.advance(1);
    await peer.send(first);
    await me.settings(second, { pinned: true });
    let pages: number[][] = [];
    const statements = await statementsOf(test, async () => {
      pages = [
        await me.listedIds('?keyword=room&per_page=2'),
        await me.listedIds('?keyword=room&per_page=2&page=2'),
      ];
    });
    expect(pages).toEqual([[second, first], [third]]);
    const listsOfIds = statements.flatMap((sql) => /m\.conversation_id IN \(([?, ]+)\)/.exec(sql)?.[1] ?? []);
    expect(listsOfIds).toEqual(['?, ?', '?']);
  });
});
