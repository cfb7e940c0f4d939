import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const URL = '/api/messages/conversations';

describe('Hidden conversations', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  /** Users of this test only. */
  let nextId = 100;
  const strangers = (count: number): Promise<ChatUser[]> => {
    const ids = Array.from({ length: count }, (_, index) => nextId + index);
    nextId += count;
    return ChatUser.signInAll(test.api, ids);
  };

  it('are shown again when their user opens the single chat, but not the peer', async () => {
    const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
    const id = await me.openSingle(peer.id);
    await me.settings(id, { hidden: true });
    expect(await peer.openSingle(me.id)).toBe(id);
    expect(await me.listedIds()).toEqual([]);
    const opened = await me.api.post(URL, { type: 'single', peer_id: peer.id });
    expect(opened.body.data).toMatchObject({ id, hidden: false });
    expect(await me.listedIds()).toEqual([id]);
    expect((await me.list()).pagination.total).toBe(1);
  });

  it('have a list of their own, in the same order, with totals and pages', async () => {
    const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
    const single = await me.openSingle(peer.id);
    const [small, large, shown] = [
      await me.createGroup([peer.id]),
      await me.createGroup([peer.id]),
      await me.createGroup([peer.id]),
    ];
    await switchToLargeGroup(test, large);
    for (const id of [single, small, large]) await me.settings(id, { hidden: true });
    expect(await me.listedIds('?hidden=1')).toEqual([large, small, single]);
    expect((await me.list('?hidden=1')).items.map(({ hidden }) => hidden)).toEqual([true, true, true]);
    expect(await me.listedIds('?hidden=1&type=group')).toEqual([large, small]);
    expect(await me.listedIds('?hidden=1&per_page=1&page=2')).toEqual([small]);
    expect((await me.list('?hidden=1&per_page=1&page=2')).pagination).toEqual({
      total: 3,
      per_page: 1,
      current_page: 2,
      last_page: 3,
      has_more: true,
    });
    expect(await me.listedIds()).toEqual([shown]);
    expect(await me.listedIds('?hidden=0')).toEqual([shown]);
    await me.settings(small, { pinned: true });
    expect(await me.listedIds('?hidden=1')).toEqual([small, large, single]);
    test.clock.advance(1);
    await peer.send(large);
    expect(await me.listedIds('?hidden=1')).toEqual([small, single]);
    expect((await me.list('?hidden=1')).pagination.total).toBe(2);
    expect(await peer.listedIds('?hidden=1')).toEqual([]);
  });

  it('publish an event to their user when their single chat is opened', async () => {
    const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
    const id = await me.openSingle(peer.id);
    await me.settings(id, { hidden: true });
    const eventsOf = async (who: ChatUser) =>
      (await who.api.get('/api/events/poll?limit=500')).body.data.items;
    const [mine, peers] = [(await eventsOf(me)).length, (await eventsOf(peer)).length];
    await me.openSingle(peer.id);
    await me.openSingle(peer.id);
    expect((await eventsOf(me)).slice(mine)).toMatchObject([
      { type: 'conversation.updated', conversation: { id, hidden: false }, hidden: false },
    ]);
    expect(await eventsOf(peer)).toHaveLength(peers);
  });
});
