import type { PushJobEntity } from '../entities/push-job.entity';
import type { PushTargetEntity } from '../entities/push-target.entity';
import {
  composeCall,
  composeMessage,
  composeNotification,
  DONE,
  KEEP,
  leastContent,
  type PushContext,
} from './compose-push.rules';
import type { PushedCall, PushedMessage } from './pushed-objects.rules';

const NOW = new Date('2026-01-31T08:00:10.000Z');
const ANN = { id: 3, name: 'Ann', avatar: null };
const TEXTS = {
  newMessage: 'New message',
  newNotification: 'New notification',
  incomingCall: 'Incoming call',
  incomingVideoCall: 'Incoming video call',
  callOver: 'Over',
  answeredElsewhere: 'Answered elsewhere',
  declinedElsewhere: 'Declined elsewhere',
};

const contextOf = (
  job: Partial<PushJobEntity> = {},
  target: Partial<PushTargetEntity> = {},
  more: Partial<PushContext> = {},
): PushContext => ({
  job: {
    topic: 'call:7',
    rev: 1,
    attempts: 1,
    sent_rev: 0,
    shown: false,
    told_id: 0,
    sent_at: null,
    ...job,
  } as PushJobEntity,
  target: { kind: 'fcm', terminal_id: 'phone', ...target } as PushTargetEntity,
  now: NOW,
  badge: 4,
  delivery: 'normal',
  content: 'full',
  texts: TEXTS,
  publicUrl: 'https://chat.example',
  ...more,
});

const callOf = (call: Partial<PushedCall> = {}): PushedCall => ({
  id: 7,
  caller_id: 3,
  callee_id: 4,
  media_type: 'audio',
  status: 'ringing',
  end_reason: null,
  version: 1,
  channel_name: 'call-00000000-0000-4000-8000-000000000000',
  answered_terminal_id: null,
  ring_expires_at: new Date('2026-01-31T08:01:00.000Z'),
  ...call,
});

describe('composeCall', () => {
  it('rings for as long as the call does', () => {
    expect(composeCall(contextOf(), callOf(), ANN)).toMatchObject({
      push: {
        type: 'call.ringing',
        title: 'Ann',
        body: 'Incoming call',
        expiresAt: new Date('2026-01-31T08:01:00.000Z'),
        data: { call_id: 7, call_uuid: '00000000-0000-4000-8000-000000000000', caller: ANN },
      },
    });
  });

  it('hides the name of the caller with ids only', () => {
    expect(composeCall(contextOf({}, {}, { content: 'ids' }), callOf(), ANN)).toMatchObject({
      push: { title: 'Incoming call', body: null, data: { caller: { id: 3 } } },
    });
  });

  it.each<[string, Partial<PushJobEntity>, Partial<PushTargetEntity>, Partial<PushedCall>]>([
    ['a ring that expired', {}, {}, { ring_expires_at: NOW }],
    ['a call that ended before its ring was sent', {}, {}, { status: 'cancelled' }],
    ['the end of a call by VoIP', { shown: true }, { kind: 'apns_voip' }, { status: 'cancelled' }],
    [
      'the end of a call on the terminal that answered',
      { shown: true },
      {},
      { status: 'accepted', answered_terminal_id: 'phone' },
    ],
    ['a second end', { shown: false, sent_rev: 2 }, {}, { status: 'ended' }],
  ])('sends nothing for %s', (_, job, target, call) => {
    expect(composeCall(contextOf(job, target), callOf(call), ANN)).toEqual(DONE);
  });

  it('does not ring before the end of do-not-disturb', () => {
    expect(composeCall(contextOf({}, {}, { delivery: 'none' }), callOf(), ANN)).toEqual(DONE);
  });

  it.each<[Partial<PushedCall>, string, string]>([
    [{ status: 'accepted' }, 'answered_elsewhere', 'Answered elsewhere'],
    [{ status: 'rejected' }, 'declined_elsewhere', 'Declined elsewhere'],
    [{ status: 'ended', end_reason: 'no_answer' }, 'no_answer', 'Over'],
  ])('ends a ring that was sent, with the reason, for %j', (call, reason, body) => {
    const job = { shown: true, sent_rev: 1, sent_at: new Date(NOW.getTime() - 1_001) };
    expect(composeCall(contextOf(job), callOf(call), ANN)).toMatchObject({
      push: { type: 'call.over', priority: 'normal', isSilent: true, body, data: { reason } },
    });
  });

  it('keeps the row of a ring past its deadline whose attempt may have arrived, for the end of the call', () => {
    expect(composeCall(contextOf({ attempts: 2 }), callOf({ ring_expires_at: NOW }), ANN)).toEqual(KEEP);
  });

  it('ends a ring whose attempt failed, because it may have arrived', () => {
    expect(composeCall(contextOf({ attempts: 2 }), callOf({ status: 'cancelled' }), ANN)).toMatchObject({
      push: { type: 'call.over' },
    });
  });
});

describe('composeMessage', () => {
  const message: PushedMessage = {
    id: 11,
    conversation_id: 9,
    user_id: 4,
    sender_id: 3,
    type: 'text',
    content: 'text',
    unread_count: 2,
    conversation_type: 'group',
    title: 'Team',
  };
  const words = { sender: ANN, preview: 'x'.repeat(300) };
  const job = { topic: 'conversation:9' };

  it.each<[PushContext['content'], string, string | null]>([
    ['full', 'Team · Ann', `${'x'.repeat(199)}…`],
    ['names', 'Team · Ann', 'New message'],
    ['ids', 'New message', null],
  ])('contains with %s at most what is allowed', (content, title, body) => {
    expect(composeMessage(contextOf(job, {}, { content }), message, words)).toMatchObject({
      push: { type: 'message', title, body, badge: 4, data: { message_id: 11, unread_count: 2 } },
      toldId: 11,
    });
  });

  it('keeps the row when the newest message is shown already', () => {
    expect(composeMessage(contextOf({ ...job, shown: true, told_id: 11 }), message, words)).toEqual(KEEP);
  });

  it('removes what is shown when nothing is unread, but not by Web Push', () => {
    const shown = { ...job, shown: true };
    expect(composeMessage(contextOf(shown), undefined, words)).toMatchObject({
      push: { type: 'read', badge: 4, isDisplayed: false, priority: 'normal' },
    });
    expect(composeMessage(contextOf(shown, { kind: 'webpush' }), undefined, words)).toEqual(DONE);
    expect(composeMessage(contextOf(job), undefined, words)).toEqual(DONE);
  });

  it('keeps what is shown when its type was switched off, except by Web Push', () => {
    const off = { delivery: 'none' } as const;
    const shown = { ...job, shown: true, told_id: 10 };
    expect(composeMessage(contextOf(shown, {}, off), message, words)).toEqual(KEEP);
    expect(composeMessage(contextOf(job, {}, off), message, words)).toEqual(DONE);
    expect(composeMessage(contextOf(shown, { kind: 'webpush' }, off), message, words)).toEqual(DONE);
    expect(composeMessage(contextOf(shown, {}, off), undefined, words)).toMatchObject({
      push: { type: 'read' },
    });
  });

  it('sends no silent Web Push', () => {
    expect(
      composeMessage(contextOf(job, { kind: 'webpush' }, { delivery: 'silent' }), message, words),
    ).toEqual(DONE);
    expect(composeMessage(contextOf(job, {}, { delivery: 'silent' }), message, words)).toMatchObject({
      push: { isSilent: true },
    });
  });
});

describe('composeNotification', () => {
  it('keeps what is shown when its type was switched off', () => {
    const notification = { id: 9, type: 'news', title: 'Title', content: 'Text' };
    const compose = (shown: boolean) =>
      composeNotification(
        contextOf({ topic: 'notification:9', shown }, {}, { delivery: 'none' }),
        notification,
      );
    expect(compose(true)).toEqual(KEEP);
    expect(compose(false)).toEqual(DONE);
  });

  it('contains neither a text nor the type with ids only', () => {
    const job = { topic: 'notification:9', target_id: 5, user_id: 4 };
    const notification = { id: 9, type: 'payment_failed', title: 'Title', content: 'Text' };
    const { push } = composeNotification(contextOf(job, {}, { content: 'ids' }), notification);
    expect(push).toMatchObject({ title: 'New notification', body: null });
    expect(push?.data).toEqual({
      type: 'notification',
      topic: 'notification:9',
      rev: 1,
      target_id: 5,
      user_id: 4,
      sent_at: '2026-01-31T08:00:10.000Z',
      badge: 4,
      notification_id: 9,
    });
  });
});

describe('leastContent', () => {
  it.each([
    ['full', 'names', 'names'],
    ['ids', 'full', 'ids'],
    ['names', 'names', 'names'],
  ] as const)('returns of %s and %s: %s', (a, b, least) => expect(leastContent(a, b)).toBe(least));
});
