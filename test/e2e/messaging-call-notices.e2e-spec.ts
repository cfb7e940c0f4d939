import { DataSource } from 'typeorm';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { newUserIds } from '../support/calls';
import { ChatUser, dataOf } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Call notices in conversations', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let chat: number;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'calls' } });
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    chat = await ben.openSingle(ann.id);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const place = async (body: object = {}): Promise<number> =>
    dataOf(await ann.api.post('/api/calls', { callee_id: ben.id, ...body })).call_id;
  const act = (who: ChatUser, call: number, name: string, body?: object) =>
    who.api.post(`/api/calls/${call}/${name}`, body);
  const noticesIn = async (conversation: number, who = ben): Promise<Message[]> => who.peek(conversation);

  it('contain the duration of an answered call, for each end reason', async () => {
    const call = await place({ media_type: 'video' });
    await act(ben, call, 'accept');
    test.clock.advance(65);
    await act(ben, call, 'hangup', { reason: 'bye' });
    await act(ann, call, 'hangup');
    expect(await noticesIn(chat)).toMatchObject([
      {
        sender_id: ann.id,
        is_self: false,
        content: '[视频通话] 通话时长 01:05',
        display_content: '[视频通话] 通话时长 01:05',
        kind: 'notice',
        notice: {
          event: 'call',
          call_id: call,
          media_type: 'video',
          status: 'ended',
          end_reason: 'bye',
          duration: 65,
        },
        is_read: true,
        read_at: null,
      },
    ]);
  });

  it('contain the reason of an unanswered call', async () => {
    await act(ben, await place(), 'reject', { reason: 'in_a_meeting' });
    await act(ann, await place(), 'cancel', { reason: 'busy' });
    const unanswered = await place();
    test.clock.advance(61);
    await test.app.get(CallDeadlines).sweep();
    const notices = (await noticesIn(chat)).toReversed();
    expect(notices.map(({ content }) => content)).toEqual([
      '[语音通话] 已拒绝',
      '[语音通话] 已取消',
      '[语音通话] 未接听',
    ]);
    expect(notices[2]?.notice).toEqual({
      event: 'call',
      call_id: unanswered,
      media_type: 'audio',
      status: 'ended',
      end_reason: 'no_answer',
      duration: 0,
    });
  });

  it('contain busy for an attempt with a busy callee', async () => {
    const [cat] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const other = await cat.openSingle(ben.id);
    const call = await place();
    await cat.api.post('/api/calls', { callee_id: ben.id, request_id: 'once' });
    await cat.api.post('/api/calls', { callee_id: ben.id, request_id: 'once' });
    expect(await noticesIn(other)).toMatchObject([{ sender_id: cat.id, content: '[语音通话] 对方忙线中' }]);
    await act(ann, call, 'cancel');
  });

  it('contain unanswered for a call that an administrator ends before the answer', async () => {
    const call = await place();
    const admin = await test.api.as({ id: newUserIds(1)[0] ?? 0, role: 'admin' });
    await admin.post(`/api/admin/calls/${call}/end`, { reason: 'busy' });
    expect(await noticesIn(chat)).toMatchObject([{ content: '[语音通话] 未接听' }]);
  });

  it('are written only to an existing chat of the two users', async () => {
    const [cat] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const group = await ann.createGroup([ben.id]);
    const call = dataOf(await ann.api.post('/api/calls', { callee_id: cat.id })).call_id;
    await act(ann, call, 'cancel');
    expect(await cat.listedIds()).toEqual([]);
    await act(ann, await place(), 'cancel');
    expect([await noticesIn(group), (await noticesIn(chat)).length]).toEqual([[], 1]);
  });

  it('change neither unread counts, receipts nor the names in call records', async () => {
    await ben.send(chat);
    await act(ann, await place(), 'cancel');
    expect([await ann.unreadOf(chat), await ann.unreadTotal(), await ben.unreadTotal()]).toEqual([1, 1, 0]);
    expect(await ben.events('conversation.read')).toEqual([]);
    expect(
      (await ben.events('call.missed', 'message.created', 'call.cancelled')).map(({ type }) => type),
    ).toEqual(['message.created', 'message.created', 'call.cancelled', 'call.missed']);
  });

  it('are written once per call, for concurrent ends', async () => {
    for (let round = 0; round < 20; round += 1) {
      const call = await place();
      await act(ben, call, 'accept', { terminal_id: 'phone' });
      await Promise.all([
        act(ann, call, 'hangup'),
        act(ben, call, 'hangup'),
        act(ann, call, 'hangup'),
        ann.send(chat),
        ben.send(chat),
      ]);
    }
    const notices = (await noticesIn(chat)).filter(({ kind }) => kind === 'notice');
    expect(new Set(notices.map(({ notice }) => notice?.call_id)).size).toBe(20);
    expect(notices).toHaveLength(20);
  });
});
