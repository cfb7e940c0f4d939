import type { NotificationResponse } from '@callboard/client';

/** Where in the client that leads to what a notification is about; undefined where it says all of it itself. */
export function pathOf({ data }: NotificationResponse): string | undefined {
  const { call_id: callId, conversation_id: conversationId } = data ?? {};
  if (isId(callId)) return `/calls/${callId}`;
  return isId(conversationId) ? `/conversations/${conversationId}` : undefined;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
