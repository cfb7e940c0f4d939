import type { Conversation, UserEvent } from '@callboard/client';
import type { TFunction } from 'i18next';
import { serviceNow } from '../chat/service-clock';
import { displayText } from '../chat/message/display-text';
import { targetPath } from '../notifications/target';
import { toMissedCall, missedCallText } from '../notifications/notification-text';
import type { DesktopNotification } from './browser-notifications';
import { callTag, conversationTag, notificationTag } from './dismissal';

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
      tag: conversationTag(id),
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
      tag: notificationTag(id),
      id,
      title,
      body: content,
      path: targetPath(event.notification) ?? `/notifications?open=${id}`,
      hiddenWhileShowing: '/notifications',
    };
  }
  if (event.type === 'call.ringing' && event.call.direction === 'incoming') {
    const { call_id, caller, media_type, ring_expires_at } = event.call;
    // A reconnect replays the calls of the last hours.
    if (Date.parse(ring_expires_at) <= serviceNow()) return undefined;
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
