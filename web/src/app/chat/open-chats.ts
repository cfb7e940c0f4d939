import { useEffect, useState } from 'react';
import type { LiveMessages, MessagesState, SendMessageRequest } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { keepItem } from '../../shared/keep-item';
import { useLiveValue } from '../live-store';
import { OUTBOX } from '../unsent';

interface OpenChat {
  chat: LiveMessages;
  viewers: number;
}

/** Conversations that are shown or have unsent messages. */
const open = new Map<number, OpenChat>();
let userId: number | undefined;

/** Unsent messages, kept over reloads for this tab only: another tab would send them too. */
interface Kept {
  userId: number;
  bodies: Record<number, SendMessageRequest[]>;
}

callboard.session.onChange((user, end) => {
  if (
    (user === null && end === 'logged_out') ||
    (user !== null && userId !== undefined && user.id !== userId)
  ) {
    for (const { chat } of open.values()) chat.close();
    open.clear();
    userId = undefined;
  }
});

/** Resumes sending the messages that were unsent when this tab was reloaded. The service stores each `client_msg_id` once. */
export function restoreOutbox(id: number): void {
  if (userId === id) return;
  userId = id;
  const kept = JSON.parse(sessionStorage.getItem(OUTBOX) ?? 'null') as Kept | null;
  if (kept?.userId !== id) return;
  for (const [conversationId, bodies] of Object.entries(kept.bodies)) {
    const { chat } = opened(Number(conversationId));
    for (const body of bodies) void chat.send(body);
  }
}

function opened(conversationId: number): OpenChat {
  const existing = open.get(conversationId);
  if (existing !== undefined) return existing;
  const entry = { chat: callboard.live.messages(conversationId), viewers: 0 };
  open.set(conversationId, entry);
  entry.chat.subscribe(() => {
    keep();
    closeUnused(conversationId);
  });
  return entry;
}

/** Closes a conversation that is not shown and has no unsent messages. */
function closeUnused(conversationId: number): void {
  const entry = open.get(conversationId);
  if (entry === undefined || entry.viewers > 0 || pendingOf(entry).length > 0) return;
  open.delete(conversationId);
  entry.chat.close();
}

const pendingOf = ({ chat }: OpenChat): MessagesState['pending'] => chat.getSnapshot()?.pending ?? [];

function keep(): void {
  if (userId === undefined) return;
  const entries = [...open].map(([id, entry]) => [id, pendingOf(entry).map(({ body }) => body)] as const);
  const waiting = entries.filter(([, bodies]) => bodies.length > 0);
  if (waiting.length === 0) sessionStorage.removeItem(OUTBOX);
  else keepItem(sessionStorage, OUTBOX, JSON.stringify({ userId, bodies: Object.fromEntries(waiting) }));
}

/** Keeps the messages of a conversation open while the component is mounted, and returns them with their current state. */
export function useChat(
  conversationId: number,
): [chat: LiveMessages | undefined, state: MessagesState | undefined] {
  const [chat, setChat] = useState<LiveMessages>();
  useEffect(() => {
    const entry = opened(conversationId);
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
