import { ChatUser } from '../support/messaging';
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
});
