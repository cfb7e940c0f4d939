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

/** Conversations that are shown, or have something that the service does not have yet. */
const open = new Map<number, OpenChat>();
let userId: number | undefined;

/** What was not sent yet is kept over reloads, for this tab alone: another one would send it as well. */
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

/** Goes on sending what this tab had not sent when it was reloaded; the service takes each message once. */
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
  const known = open.get(conversationId);
  if (known !== undefined) return known;
  const entry = { chat: callboard.live.messages(conversationId), viewers: 0 };
  open.set(conversationId, entry);
  entry.chat.subscribe(() => {
    keep();
    closeUnused(conversationId);
  });
  return entry;
}

/** A conversation that nobody looks at is kept up to date only while something of it is on its way. */
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

/** The messages of a conversation, for as long as they are shown, and their present state. */
export function useChat(
  conversationId: number,
): [chat: LiveMessages | undefined, state: MessagesState | undefined] {
  const [chat, setChat] = useState<LiveMessages>();
  useEffect(() => {
    const entry = opened(conversationId);
    entry.viewers += 1;
    // oxlint-disable-next-line react/set-state-in-effect -- only an effect is told when to close what it has opened
    setChat(entry.chat);
    return () => {
      entry.viewers -= 1;
      closeUnused(conversationId);
    };
  }, [conversationId]);
  return [chat, useLiveValue(chat)];
}
