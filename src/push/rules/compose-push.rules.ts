import type { PushContent } from '../../config/push-config';
import type { PushJobEntity } from '../entities/push-job.entity';
import type { PushTargetEntity } from '../entities/push-target.entity';
import type { PushedCall, PushedMessage } from './pushed-objects.rules';
import type { PushMessage } from './push-message.rules';
import { idOfTopic } from './push-plan.rules';

/* Composes a push from the state of its object at the moment of sending (API 18.2, 18.3). Pure. */

const MAX_TEXT = 200;
/** `call.over` after this is not urgent: the terminal has shown the ring, and its app runs. */
const OVER_IS_URGENT_MS = 1_000;
const OVER_TTL_MS = 60_000;
const CHANNEL = /^call-([0-9a-f-]{36})$/;

/**
 * Result of composing a job: a push, or nothing to send. Then the row stays (`keep`), is due again at its `next_at`
 * (`postpone`), or ends because the target shows nothing (`end`).
 */
export type Composed =
  | { push: PushMessage; toldId: number }
  | { push: null; row: 'keep' | 'postpone' | 'end' };

export const KEEP: Composed = { push: null, row: 'keep' };
export const POSTPONE: Composed = { push: null, row: 'postpone' };
export const DONE: Composed = { push: null, row: 'end' };

/** Texts in the language of the service. */
export interface PushTexts {
  newMessage: string;
  newNotification: string;
  incomingCall: string;
  incomingVideoCall: string;
  callOver: string;
  answeredElsewhere: string;
  declinedElsewhere: string;
}

/** Input of composing besides the object. */
export interface PushContext {
  job: PushJobEntity;
  target: PushTargetEntity;
  now: Date;
  /** Unread messages and notifications of the user. */
  badge: number;
  /** `none`: the user does not want it. */
  delivery: 'normal' | 'silent' | 'none';
  /** The more private one of the operator's and the user's choice. */
  content: PushContent;
  texts: PushTexts;
  /** Origin of the web client, for clicks on a Web Push. */
  publicUrl: string;
}

/** Returns the more private of two choices. */
export const leastContent = (a: PushContent, b: PushContent): PushContent => {
  const order = ['full', 'names', 'ids'] as const;
  return order[Math.max(order.indexOf(a), order.indexOf(b))] ?? 'ids';
};

const inGroup = (title: string, sender: string): string => (title === '' ? sender : `${title} · ${sender}`);

/** A sender or caller. */
export interface PushPerson {
  id: number;
  name: string;
  avatar: string | null;
}

/** Composes the push of a call: the ring while it rings, then its end where the ring may have arrived. */
export function composeCall(
  context: PushContext,
  call: PushedCall | undefined,
  caller: PushPerson,
): Composed {
  const { job, target, now, delivery, texts } = context;
  if (call === undefined) return DONE;
  const data = {
    call_id: call.id,
    call_uuid: CHANNEL.exec(call.channel_name)?.[1] ?? null,
    media_type: call.media_type,
    version: call.version,
  };
  if (call.status === 'ringing') {
    const mayBeShown = job.shown || job.attempts > 1;
    // The end of the call follows within a second of the deadline.
    if (now >= call.ring_expires_at || delivery === 'none' || job.shown) return mayBeShown ? KEEP : DONE;
    const isVideo = call.media_type === 'video';
    const announcement = isVideo ? texts.incomingVideoCall : texts.incomingCall;
    const isNamed = context.content !== 'ids';
    const push = messageOf(context, {
      type: 'call.ringing',
      title: isNamed ? caller.name : announcement,
      body: isNamed ? announcement : null,
      badge: null,
      priority: 'high',
      isDisplayed: true,
      expiresAt: call.ring_expires_at,
      data: {
        ...data,
        caller: isNamed ? caller : { id: caller.id },
        ring_expires_at: call.ring_expires_at.toISOString(),
      },
    });
    return { push, toldId: 0 };
  }
  // PushKit ends an app that shows no call for a VoIP push, so its `apns` target is sent the end.
  if (target.kind === 'apns_voip' || target.terminal_id === call.answered_terminal_id) return DONE;
  // A ring that was never sent needs no end. The first attempt is this one.
  const mayBeShown = job.shown || (job.sent_rev === 0 && job.attempts > 1);
  if (!mayBeShown) return DONE;
  const reason = overReasonOf(call);
  const acceptedMs = job.sent_at === null ? Infinity : now.getTime() - job.sent_at.getTime();
  const isUrgent = target.kind !== 'fcm' || acceptedMs <= OVER_IS_URGENT_MS;
  const wasVoip = target.kind === 'apns' && job.sent_rev === 0;
  const push = messageOf(context, {
    type: 'call.over',
    title: context.content === 'ids' ? texts.callOver : caller.name,
    body: overTextOf(reason, texts),
    badge: null,
    priority: isUrgent ? 'high' : 'normal',
    isDisplayed: !wasVoip,
    isSilent: true,
    expiresAt: new Date(now.getTime() + OVER_TTL_MS),
    data: { ...data, reason },
  });
  return { push, toldId: 0 };
}

function overReasonOf({ status, end_reason }: PushedCall): string {
  if (status === 'accepted' || status === 'ongoing') return 'answered_elsewhere';
  if (status === 'rejected') return 'declined_elsewhere';
  return end_reason ?? status;
}

function overTextOf(reason: string, texts: PushTexts): string {
  if (reason === 'answered_elsewhere') return texts.answeredElsewhere;
  return reason === 'declined_elsewhere' ? texts.declinedElsewhere : texts.callOver;
}

/**
 * Composes the push of a conversation: its newest unread message.
 * @param message undefined: nothing is unread, or the member has muted the conversation
 * @param preview its text, or a word for its type
 */
export function composeMessage(
  context: PushContext,
  message: PushedMessage | undefined,
  { sender, preview }: { sender: PushPerson; preview: string },
): Composed {
  const { job, texts, content } = context;
  const conversation_id = idOfTopic(job.topic);
  if (message === undefined) return composeRead(context, { conversation_id });
  if (isUnwanted(context)) return afterUnwanted(context);
  if (job.shown && job.told_id === message.id) return KEEP;
  // The newest message was recalled, or deleted: an older one replaces it.
  const isReplacement = job.shown && message.id < job.told_id;
  // A read of older messages made the row due before its time.
  if (!isReplacement && job.next_at !== null && job.next_at > context.now) return POSTPONE;
  const isGroup = message.conversation_type === 'group';
  const names = inGroup(isGroup ? message.title : '', sender.name);
  const push = messageOf(context, {
    type: 'message',
    title: content === 'ids' ? texts.newMessage : names,
    body: content === 'full' ? truncate(preview) : content === 'names' ? texts.newMessage : null,
    badge: context.badge,
    priority: isReplacement ? 'normal' : 'high',
    isDisplayed: true,
    ...(isReplacement && { isSilent: true }),
    data: { conversation_id, message_id: message.id, unread_count: message.unread_count },
  });
  return { push, toldId: message.id };
}

/** A notification as it is pushed. */
export interface PushedNotification {
  id: number;
  type: string;
  title: string;
  content: string;
}

/** Composes the push of a notification. @param notification undefined: it is read, archived or deleted */
export function composeNotification(
  context: PushContext,
  notification: PushedNotification | undefined,
): Composed {
  const { job, texts, content } = context;
  const notification_id = idOfTopic(job.topic);
  if (notification === undefined) return composeRead(context, { notification_id });
  if (isUnwanted(context)) return afterUnwanted(context);
  if (job.shown) return KEEP;
  const push = messageOf(context, {
    type: 'notification',
    title: content === 'ids' ? texts.newNotification : notification.title,
    body: content === 'full' ? truncate(notification.content) : null,
    badge: context.badge,
    priority: 'high',
    isDisplayed: true,
    data: { notification_id, ...(content !== 'ids' && { notification_type: notification.type }) },
  });
  return { push, toldId: notification.id };
}

/** Whether the user wants no push of the object on the target now. */
const isUnwanted = ({ delivery, target }: PushContext): boolean =>
  delivery === 'none' || (delivery === 'silent' && target.kind === 'webpush');

/** Keeps the row of an unwanted push if the target shows an earlier one, which a `read` push removes later. */
const afterUnwanted = ({ job, target }: PushContext): Composed =>
  job.shown && target.kind !== 'webpush' ? KEEP : DONE;

/** Composes the push that removes what the target shows. Safari revokes subscriptions with pushes that show nothing. */
function composeRead(context: PushContext, data: Record<string, unknown>): Composed {
  const { job, target, badge } = context;
  if (!job.shown || target.kind === 'webpush') return DONE;
  const push = messageOf(context, {
    type: 'read',
    title: null,
    body: null,
    badge,
    priority: 'normal',
    isDisplayed: false,
    isSilent: true,
    data,
  });
  return { push, toldId: 0 };
}

type Parts = Pick<PushMessage, 'type' | 'title' | 'body' | 'badge' | 'priority' | 'isDisplayed' | 'data'> &
  Partial<Pick<PushMessage, 'isSilent' | 'expiresAt'>>;

function messageOf(context: PushContext, { data, ...parts }: Parts): PushMessage {
  const { job, now, delivery, publicUrl } = context;
  const { topic, rev, target_id, user_id } = job;
  return {
    topic,
    now,
    isSilent: delivery === 'silent',
    expiresAt: job.expires_at,
    url: publicUrl + pageOf(topic),
    ...parts,
    data: {
      type: parts.type,
      topic,
      rev,
      target_id,
      user_id,
      sent_at: now.toISOString(),
      ...(parts.badge !== null && { badge: parts.badge }),
      ...data,
    },
  };
}

/** Returns the page of the web client that shows the object of a topic. */
function pageOf(topic: string): string {
  const id = idOfTopic(topic);
  if (topic.startsWith('call:')) return `/calls/${id}`;
  return topic.startsWith('conversation:') ? `/conversations/${id}` : `/notifications?open=${id}`;
}

const truncate = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join('')}…`;
};
