import type { ApiClient } from '../support/api-client';
import { createUsers, newUserIds } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

interface Item {
  id: number;
  type: string;
  unread_count?: number;
}

describe('Events of conversations', () => {
  let test: TestApp;
  let ids: number[];
  let people: ApiClient[];
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    ids = newUserIds(3);
    people = await createUsers(test.api, ...ids);
  });

  const who = (index: number): ApiClient => people[index] ?? test.api;
  const eventsOf = async (index: number, after = 0): Promise<Item[]> =>
    (await who(index).get(`/api/events/poll?after=${after}&limit=500`)).body.data.items;
  const BASE = '/api/messages/conversations';
  const single = async (): Promise<number> =>
    (await who(0).post(BASE, { type: 'single', peer_id: ids[1] })).body.data.id;
  const group = async (): Promise<number> =>
    (await who(0).post(BASE, { type: 'group', name: 'G', member_ids: [ids[1], ids[2]] })).body.data.id;
  const say = (index: number, id: number, content: string) =>
    who(index).post(`${BASE}/${id}/messages`, { type: 'text', content });
  const seen = async (index: number, id: number) => (await who(index).get(`${BASE}/${id}`)).body.data;

  it('of a message are sent to every member, in the member’s view, with the unread count', async () => {
    const id = await group();
    const sent = (await say(0, id, '你好')).body.data;
    const [mine, theirs] = [(await eventsOf(0)).at(-1), (await eventsOf(1)).at(-1)];
    expect(mine).toMatchObject({ type: 'message.created', message: sent, unread_count: 0 });
    expect(theirs).toMatchObject({
      type: 'message.created',
      conversation_id: id,
      message: { ...sent, is_self: false },
      unread_count: 1,
    });
  });

  it('of a recall are sent to every member who sees the message', async () => {
    const id = await single();
    const { id: messageId } = (await say(0, id, 'oops')).body.data;
    await who(1).get(`${BASE}/${id}/messages`);
    await who(0).post(`/api/messages/${messageId}/recall`);
    await who(0).post(`/api/messages/${messageId}/recall`);
    const history = async (index: number) =>
      (await who(index).get(`${BASE}/${id}/messages`)).body.data.items[0];
    for (const index of [0, 1]) {
      const recalls = (await eventsOf(index)).filter(({ type }) => type === 'message.recalled');
      expect(recalls).toEqual([
        expect.objectContaining({
          message: await history(index),
          conversation_id: id,
          conversation: await seen(index, id),
          unread_count: 0,
        }),
      ]);
    }
  });

  it('of a message, its edit, its quote and its conversation are without its text after its recall', async () => {
    const id = await group();
    const { id: messageId } = (await say(0, id, 'oops')).body.data;
    await who(0).put(`/api/messages/${messageId}`, { content: 'oops again' });
    await who(0).put(`${BASE}/${id}`, { name: 'New' });
    await who(1).post(`${BASE}/${id}/messages`, { type: 'text', content: 'What?', reply_to_id: messageId });
    await who(2).delete(`${BASE}/${id}/members/${ids[2]}`);
    const textsOf = async (index: number): Promise<number> =>
      JSON.stringify(await eventsOf(index)).split('oops').length - 1;
    expect([await textsOf(1), await textsOf(2)]).toEqual([6, 6]);
    await who(0).post(`/api/messages/${messageId}/recall`);
    expect([await textsOf(0), await textsOf(1), await textsOf(2)]).toEqual([0, 0, 0]);
    expect((await eventsOf(1)).slice(1)).toMatchObject([
      {
        type: 'message.created',
        message: { id: messageId, content: '', is_recalled: true },
        unread_count: 1,
      },
      { type: 'message.edited', message_id: messageId, content: '', display_content: '消息已撤回' },
      { type: 'conversation.updated', conversation: { last_message: '消息已撤回', last_is_recalled: true } },
      { type: 'conversation.read' },
      {
        type: 'message.created',
        message: { content: 'What?', reply_to: { display_content: '消息已撤回', is_recalled: true } },
      },
      { type: 'conversation.updated' },
      { type: 'message.recalled' },
    ]);
  });

  it('of a read are sent to the reader and, in a single chat, to the peer', async () => {
    const id = await single();
    const { id: messageId } = (await say(0, id, 'hello')).body.data;
    await who(1).post(`${BASE}/${id}/read`, {});
    await who(1).post(`${BASE}/${id}/read`, {});
    const payload = { conversation_id: id, user_id: ids[1], up_to_message_id: messageId };
    const read = (events: Item[]) => events.filter(({ type }) => type === 'conversation.read');
    expect(read(await eventsOf(1))).toMatchObject([
      { ...payload, read_at: '2026-01-31 16:00:00', unread_count: 0 },
    ]);
    expect(read(await eventsOf(0))).toMatchObject([{ ...payload, unread_count: null }]);
  });

  it('of a read are not sent to other members of a group', async () => {
    const id = await group();
    await say(0, id, 'hello');
    await who(1).get(`${BASE}/${id}/messages`);
    expect((await eventsOf(1)).at(-1)?.type).toBe('conversation.read');
    expect((await eventsOf(0)).map(({ type }) => type)).not.toContain('conversation.read');
  });

  it('of a new or changed conversation are sent to every member, in the member’s view', async () => {
    const id = await group();
    await who(0).put(`${BASE}/${id}`, { name: 'New' });
    for (const index of [0, 1, 2]) {
      expect(await eventsOf(index)).toMatchObject([
        { type: 'conversation.updated', conversation: { id, name: 'G', member_count: 3 } },
        { type: 'conversation.updated', conversation: await seen(index, id) },
      ]);
    }
    await who(0).delete(`${BASE}/${id}/members/${ids[2]}`);
    expect((await eventsOf(1)).at(-1)).toMatchObject({ conversation: { member_count: 2 } });
    expect((await eventsOf(2)).slice(2)).toMatchObject([{ type: 'conversation.left', conversation_id: id }]);
    await who(0).post(`${BASE}/${id}/members`, { user_ids: [ids[2]] });
    expect((await eventsOf(2)).at(-1)).toMatchObject({ conversation: { member_count: 3 } });
  });

  it('of settings are sent to their user only', async () => {
    const id = await single();
    await who(0).put(`${BASE}/${id}/settings`, { pinned: true });
    const pinned = await seen(0, id);
    await who(0).put(`${BASE}/${id}/settings`, { muted: true, hidden: true });
    const conversation = await seen(0, id);
    expect((await eventsOf(0)).slice(1)).toMatchObject([
      { type: 'conversation.updated', conversation: pinned, pinned: true, muted: false, hidden: false },
      { type: 'conversation.updated', conversation, pinned: true, muted: true, hidden: true },
    ]);
    expect(await eventsOf(1)).toHaveLength(1);
  });

  it('contain a hidden conversation completely with the next message, but not with the one after', async () => {
    const id = await single();
    for (const content of ['one', 'two']) {
      await who(1).put(`${BASE}/${id}/settings`, { hidden: true });
      const before = (await eventsOf(1)).length;
      await say(0, id, content);
      const conversation = await seen(1, id);
      expect((await eventsOf(1)).slice(before)).toMatchObject([
        { type: 'message.created', message: { content } },
        { type: 'conversation.updated', conversation, hidden: false },
      ]);
      await say(0, id, 'more');
      expect((await eventsOf(1)).slice(before + 2)).toMatchObject([{ type: 'message.created' }]);
    }
  });

  it('are sent once for a manual unhide', async () => {
    const id = await single();
    await who(1).put(`${BASE}/${id}/settings`, { hidden: true });
    await who(1).put(`${BASE}/${id}/settings`, { hidden: false });
    await say(0, id, 'hello');
    const types = (await eventsOf(1)).slice(1).map(({ type }) => type);
    expect(types).toEqual(['conversation.updated', 'conversation.updated', 'message.created']);
  });

  it('are sent to a member who leaves a group', async () => {
    const id = await group();
    await who(2).delete(`${BASE}/${id}/members/${ids[2]}`);
    expect((await eventsOf(2)).slice(1)).toMatchObject([{ type: 'conversation.left', conversation_id: id }]);
    expect((await eventsOf(0)).slice(1)).toMatchObject([{ type: 'conversation.updated' }]);
  });

  it('complement a list that returns the number of pinned conversations of a page', async () => {
    const [first] = [await group(), await group(), await group()];
    await who(0).put(`${BASE}/${first}/settings`, { pinned: true });
    const pinnedOn = async (page: number) =>
      (await who(0).get(`${BASE}?per_page=2&page=${page}`)).headers['x-pinned-count'];
    expect([await pinnedOn(1), await pinnedOn(2)]).toEqual(['1', '0']);
  });

  it('continue from the cursor of the list, and the last one contains the unread count', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await single();
      const before = await who(1).get(BASE);
      const after = Number(before.headers['x-event-cursor']);
      await Promise.all([
        say(0, id, 'a'),
        say(0, id, 'b'),
        who(1).post(`${BASE}/${id}/read`, {}),
        say(1, id, 'c'),
        say(0, id, 'd'),
        who(1).get(`${BASE}/${id}/messages`),
      ]);
      const lastCounted = (await eventsOf(1, after)).findLast(
        ({ unread_count }) => typeof unread_count === 'number',
      );
      expect(lastCounted?.unread_count).toBe((await seen(1, id)).unread_count);
    }
  });
});
