import type { NotificationResponse } from '@callboard/client';

/** Returns the client's path to the call or conversation of a notification; undefined if it has none. */
export function targetPath({ data }: NotificationResponse): string | undefined {
  const { call_id: callId, conversation_id: conversationId } = data ?? {};
  if (isId(callId)) return `/calls/${callId}`;
  return isId(conversationId) ? `/conversations/${conversationId}` : undefined;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
