import { useEffect, useState } from 'react';
import {
  CallboardError,
  type LiveMessages,
  type MessagesState,
  type PendingMessage,
  type SendMessageRequest,
} from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useLiveValue } from '../live-store';
import { UPLOADS_KEY } from '../../shared/unsent-storage';
import { closeOutbox, keepOutbox, openOutbox, type StoredError, type StoredOutbox } from './outbox-storage';

interface OpenChat {
  chat: LiveMessages;
  viewers: number;
}

/** Conversations that are shown or have unsent messages. */
const openChats = new Map<number, OpenChat>();
let userId: number | undefined;

callboard.session.onChange((user, end) => {
  if (
    (user === null && end === 'logged_out') ||
    (user !== null && userId !== undefined && user.id !== userId)
  ) {
    closeOutbox();
    for (const { chat } of openChats.values()) chat.close();
    openChats.clear();
    userId = undefined;
  }
});

/**
 * Resumes sending the messages that were unsent when the user's pages were closed or reloaded. The service stores each `client_msg_id`
 * once.
 */
export function restoreOutbox(id: number): void {
  if (userId === id) return;
  userId = id;
  // Uploads continue in any chat, but are not part of the first load.
  if (localStorage.getItem(UPLOADS_KEY) !== null)
    void import('./uploads/uploads').then(({ uploads }) => uploads.restore(id));
  void openOutbox(id, sendStored);
}

function sendStored({ bodies: byConversation, errors }: StoredOutbox): void {
  for (const [conversationId, bodies] of Object.entries(byConversation)) {
    const { chat } = openChat(Number(conversationId));
    for (const body of bodies) {
      const error = errors[body.client_msg_id ?? ''];
      void chat.send(body, error && new CallboardError(error.code, error.message, error));
    }
  }
}

function openChat(conversationId: number): OpenChat {
  const existing = openChats.get(conversationId);
  if (existing !== undefined) return existing;
  const entry = { chat: callboard.live.messages(conversationId), viewers: 0 };
  openChats.set(conversationId, entry);
  entry.chat.subscribe(() => {
    storeOutbox();
    for (const listener of outboxListeners) listener(conversationId);
    closeUnused(conversationId);
  });
  return entry;
}

const outboxListeners = new Set<(conversationId: number) => void>();

/** Calls a listener after each change of the unsent messages of a conversation. */
export const onOutboxChange = (listener: (conversationId: number) => void): unknown =>
  outboxListeners.add(listener);

/** Returns the unsent messages of a conversation by their `client_msg_id`. */
export function pendingById(conversationId: number): ReadonlyMap<string, PendingMessage> {
  const entry = openChats.get(conversationId);
  const pending = entry === undefined ? [] : pendingOf(entry);
  return new Map(pending.map((message) => [message.clientMsgId, message]));
}

/** Sends a message from the outbox of a conversation, whether it is open or not. */
export function sendFrom(conversationId: number, body: SendMessageRequest): void {
  void openChat(conversationId).chat.send(body);
}

/** Removes an unsent message of a conversation. Returns whether it was still unsent. */
export function discardFrom(conversationId: number, clientMsgId: string): boolean {
  const isUnsent = pendingById(conversationId).has(clientMsgId);
  openChats.get(conversationId)?.chat.discard(clientMsgId);
  return isUnsent;
}

/** Closes a conversation that is not shown and has no unsent messages. */
function closeUnused(conversationId: number): void {
  const entry = openChats.get(conversationId);
  if (entry === undefined || entry.viewers > 0 || pendingOf(entry).length > 0) return;
  openChats.delete(conversationId);
  entry.chat.close();
}

const pendingOf = ({ chat }: OpenChat): MessagesState['pending'] => chat.getSnapshot()?.pending ?? [];

function storeOutbox(): void {
  const unsent = [...openChats].filter(([, entry]) => pendingOf(entry).length > 0);
  const bodies = unsent.map(([id, entry]) => [id, pendingOf(entry).map(({ body }) => body)] as const);
  const errors = unsent.flatMap(([, entry]) =>
    pendingOf(entry).flatMap(({ clientMsgId, error }) =>
      error === undefined ? [] : [[clientMsgId, toStoredError(error)] as const],
    ),
  );
  const outbox = { bodies: Object.fromEntries(bodies), errors: Object.fromEntries(errors) };
  keepOutbox(unsent.length === 0 ? undefined : outbox);
}

const toStoredError = ({ code, message, status, requestId }: CallboardError): StoredError => ({
  code,
  message,
  status,
  ...(requestId !== undefined && { requestId }),
});

/** Keeps the messages of a conversation open while the component is mounted, and returns them with their current state. */
export function useChat(
  conversationId: number,
): [chat: LiveMessages | undefined, state: MessagesState | undefined] {
  const [chat, setChat] = useState<LiveMessages>();
  useEffect(() => {
    const entry = openChat(conversationId);
    entry.viewers += 1;
    // oxlint-disable-next-line react/set-state-in-effect -- the effect that opens the chat has to close it
    setChat(entry.chat);
    return () => {
      entry.viewers -= 1;
      closeUnused(conversationId);
    };
  }, [conversationId]);
  return [chat, useLiveValue(chat)];
}
