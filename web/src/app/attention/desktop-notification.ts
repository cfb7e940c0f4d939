import type { Conversation, UserEvent } from '@callboard/client';
import type { TFunction } from 'i18next';
import { displayText } from '../chat/message/display-text';
import { targetPath } from '../notifications/target';
import { toMissedCall, missedCallText } from '../notifications/notification-text';
import type { DesktopNotification } from './browser-notifications';

/* The tags are the topics of pushes (API 18.3): of a page and a push that show the same, one notification remains. */

const callTag = (callId: number): string => `call:${callId}`;

interface Lookups {
  getConversation: (id: number) => Promise<Conversation>;
  /** Undefined for unknown users. */
  getName: (userId: number) => Promise<string | undefined>;
}

/** Returns the notification for an event; undefined for events that need no attention. */
export async function toDesktopNotification(
  event: UserEvent,
  { getConversation, getName }: Lookups,
  t: TFunction<'client'>,
): Promise<DesktopNotification | undefined> {
  if (event.type === 'message.created') {
    const { message, conversation_id: id } = event;
    if (message.is_self || message.kind === 'notice') return undefined;
    const conversation = await getConversation(id);
    if (conversation.muted) return undefined;
    const sender = message.sender_name ?? conversation.name;
    const text = displayText(message, t);
    return {
      tag: `conversation:${id}`,
      id: message.id,
      title: conversation.name,
      body: conversation.is_group ? t('attention.said', { name: sender, text }) : text,
      path: `/conversations/${id}`,
      hiddenWhileShowing: `/conversations/${id}`,
    };
  }
  if (event.type === 'notification.created') {
    const { id } = event.notification;
    const call = toMissedCall(event.notification);
    const { title, content } =
      call === undefined ? event.notification : missedCallText(call, await getName(call.peerId), t);
    return {
      tag: `notification:${id}`,
      id,
      title,
      body: content,
      path: targetPath(event.notification) ?? `/notifications?open=${id}`,
      hiddenWhileShowing: '/notifications',
    };
  }
  if (event.type === 'call.ringing' && event.call.direction === 'incoming') {
    const { call_id, caller, media_type } = event.call;
    return {
      tag: callTag(call_id),
      id: call_id,
      callId: call_id,
      title: caller.name,
      body: t(`attention.calls.${media_type}`),
      requireInteraction: true,
    };
  }
  return undefined;
}

/** Returns the tag of the notification that an event makes obsolete; undefined if there is none. */
export function dismissedTag(event: UserEvent): string | undefined {
  switch (event.type) {
    case 'call.accepted':
    case 'call.rejected':
    case 'call.cancelled':
    case 'call.ended':
    case 'call.answered_elsewhere':
    case 'call.declined_elsewhere':
      return callTag(event.call.call_id);
    case 'conversation.read':
      // Read on another device: the notification here is obsolete.
      return event.unread_count === 0 ? `conversation:${event.conversation_id}` : undefined;
    case 'notification.read':
    case 'notification.deleted':
      return `notification:${event.notification_id}`;
    case 'notification.updated':
      return event.notification.archived === 1 ? `notification:${event.notification.id}` : undefined;
    default:
      return undefined;
  }
}
