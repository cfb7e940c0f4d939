import { useSyncExternalStore } from 'react';
import type { MessageResponse, QuoteResponse } from '@callboard/client';
import { trySetItem } from '../../shared/try-set-item';
import { DRAFT_PREFIX } from '../../shared/unsent-storage';

export interface Mention {
  /** User id; null mentions all members. */
  id: number | null;
  name: string;
}

/** An unfinished message. */
export interface Draft {
  text: string;
  mentions: Mention[];
  /** The message that is replied to; null if none. */
  replyTo: QuoteResponse | null;
}

const listeners = new Set<() => void>();
/** Parsed drafts by storage key, so that an unchanged draft is the same object. */
const parsed = new Map<string, { raw: string; draft: Draft }>();

const keyOf = (userId: number, conversationId: number): string =>
  `${DRAFT_PREFIX}${userId}.${conversationId}`;

/** Stores a draft in the browser. A draft without text and reply is deleted. */
export function saveDraft(userId: number, conversationId: number, draft: Draft): void {
  const key = keyOf(userId, conversationId);
  if (draft.text.trim() === '' && draft.replyTo === null) localStorage.removeItem(key);
  else trySetItem(localStorage, key, JSON.stringify(draft));
  for (const listener of listeners) listener();
}

/** Returns the draft of a conversation; undefined if there is none. */
export function findDraft(userId: number, conversationId: number): Draft | undefined {
  const key = keyOf(userId, conversationId);
  const raw = localStorage.getItem(key);
  if (raw === null) return undefined;
  const cached = parsed.get(key);
  if (cached?.raw === raw) return cached.draft;
  try {
    const draft = JSON.parse(raw) as Draft;
    parsed.set(key, { raw, draft });
    return draft;
  } catch {
    return undefined;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns the draft of a conversation, updated live; undefined if there is none. */
export const useDraft = (userId: number, conversationId: number): Draft | undefined =>
  useSyncExternalStore(subscribe, () => findDraft(userId, conversationId));

/** Converts a message to its quote in a reply. */
export const toQuote = ({
  id,
  sender_id,
  sender_name,
  type,
  display_content,
  is_recalled,
}: MessageResponse): QuoteResponse => ({ id, sender_id, sender_name, type, display_content, is_recalled });
