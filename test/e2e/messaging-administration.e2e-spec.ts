import type { ApiClient } from '../support/api-client';
import { stopJobs } from '../support/jobs';
import { ChatUser } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const PATH = '/api/admin/conversations';
const UNKNOWN = { code: 404, message: '聊天会话不存在', data: null };

describe('Administration of conversations', () => {
  let test: TestApp;
  let admin: ApiClient;
  let ann: ChatUser;
  let ben: ChatUser;
  let group: number;
  let chat: number;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
    chat = (await ann.api.post('/api/messages/conversations', { type: 'single', peer_id: 2 })).body.data.id;
  });
  afterAll(() => test?.close());

  const send = async (who: ChatUser, content: string, id = group): Promise<number> =>
    (await who.api.post(`/api/messages/conversations/${id}/messages`, { type: 'text', content })).body.data
      .id;
  const list = async (query = ''): Promise<{ items: { id: number }[]; next_cursor: string | null }> =>
    (await admin.get(`${PATH}?${query}`)).body.data;

  it('lists the conversations of all users without contents, newest first', async () => {
    await send(ann, 'secret words');
    const { items } = await list('user_id=1&limit=200');
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted((a, b) => b - a));
    const found = items.find(({ id }) => id === group);
    expect(found).toMatchObject({ type: 'group', member_count: 3, message_count: 1, people: [] });
    expect(items.find(({ id }) => id === chat)).toMatchObject({
      type: 'single',
      name: null,
      people: [{ user_id: 1 }, { user_id: 2 }],
    });
    expect(JSON.stringify(items)).not.toContain('secret words');
  });

  it('filters by type, name and member, and continues at the cursor', async () => {
    const name = `École ${group}`;
    await ann.api.put(`/api/messages/conversations/${group}`, { name });
    for (const keyword of [name, `ÉCOLE ${group}`])
      expect((await list(`keyword=${encodeURIComponent(keyword)}`)).items).toMatchObject([
        { id: group, name },
      ]);
    const first = await list('type=group&user_id=2&limit=1');
    expect(first.items).toMatchObject([{ id: group }]);
    await ann.createGroup([2]);
    const { next_cursor } = await list('type=group&user_id=2&limit=1');
    const next = await list(`type=group&user_id=2&limit=1&cursor=${next_cursor}`);
    expect(next.items).toMatchObject([{ id: group }]);
  });

  it('returns statistics and members of a conversation', async () => {
    await send(ann, 'one');
    await send(ann, 'two');
    await send(ben, 'three');
    const { data } = (await admin.get(`${PATH}/${group}`)).body;
    expect(data).toMatchObject({
      id: group,
      message_count: 3,
      notice_count: 0,
      counted_messages: 3,
      days: [{ day: '2026-01-31', messages: 3 }],
      senders: [
        { user_id: 1, messages: 2 },
        { user_id: 2, messages: 1 },
      ],
    });
    const members = (await admin.get(`${PATH}/${group}/members?per_page=2`)).body.data;
    expect(members.pagination.total).toBe(3);
    expect(members.items).toMatchObject([{ role: 'owner', user_id: 1 }, { role: 'member' }]);
    const found = (await admin.get(`${PATH}/${group}/members?keyword=BEN`)).body.data;
    expect([found.items.length, found.pagination.total, found.items[0]?.user_id]).toEqual([1, 1, 2]);
    expect((await admin.get(`${PATH}/8000000000`)).body).toEqual(UNKNOWN);
  });

  it('returns messages for a reason, with an audit row for each request', async () => {
    await send(ann, 'one');
    const second = await send(ben, 'two');
    const third = await send(ann, 'three');
    const inspect = async (body: object) =>
      (await admin.post(`${PATH}/${group}/inspections`, { reason: 'Complaint 4711', ...body })).body.data;
    const newest = await inspect({ limit: 2 });
    expect(newest).toMatchObject({
      items: [
        { id: third, sender_id: 1, content: 'three' },
        { id: second, sender_id: 2, content: 'two' },
      ],
      next_before_id: second,
    });
    expect(await inspect({ before_id: second })).toMatchObject({
      items: [{ content: 'one' }],
      next_before_id: null,
    });
    const log = `/api/admin/audit?object_type=conversation&object_id=${group}`;
    expect((await admin.get(log)).body.data.items).toMatchObject([
      { action: 'conversation.inspect', after: { reason: 'Complaint 4711', messages: 1 } },
      { action: 'conversation.inspect', after: { reason: 'Complaint 4711', messages: 2 } },
    ]);
    // Administrators do not become members and read nothing for them.
    expect((await ben.conversation(group)).unread_count).toBe(1);
  });

  it('rejects an inspection without a reason', async () => {
    expect((await admin.post(`${PATH}/${group}/inspections`, {})).body).toEqual({
      code: 422,
      message: 'reason 字段不能为空',
      data: null,
    });
  });

  it('closes a group for all members, and no single chat', async () => {
    expect((await admin.delete(`${PATH}/${group}`)).body).toEqual({
      code: 0,
      message: '操作成功',
      data: null,
    });
    expect((await ben.api.get(`/api/messages/conversations/${group}`)).status).toBe(403);
    const { items } = (await ben.api.get('/api/events/poll?limit=500')).body.data;
    expect(items.at(-1)).toMatchObject({ type: 'conversation.left', conversation_id: group });
    expect((await admin.delete(`${PATH}/${group}`)).body).toEqual(UNKNOWN);
    expect((await admin.delete(`${PATH}/${chat}`)).body.message).toBe('无权操作');
  });
});
