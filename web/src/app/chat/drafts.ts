import { useSyncExternalStore } from 'react';
import type { MessageResponse, QuoteResponse } from '@callboard/client';
import { keepItem } from '../../shared/keep-item';
import { DRAFTS } from '../unsent';

export interface Mention {
  /** Null: everybody. */
  id: number | null;
  name: string;
}

/** What somebody was writing. */
export interface Draft {
  text: string;
  mentions: Mention[];
  /** What it answers. */
  replyTo: QuoteResponse | null;
}

const listeners = new Set<() => void>();
/** What was read, so that the same draft is the same object. */
const read = new Map<string, { raw: string; draft: Draft }>();

const keyOf = (userId: number, conversationId: number): string => `${DRAFTS}${userId}.${conversationId}`;

/** Keeps what is being written, over reloads too; nothing is kept of an empty text that answers nothing. */
export function keepDraft(userId: number, conversationId: number, draft: Draft): void {
  const key = keyOf(userId, conversationId);
  if (draft.text.trim() === '' && draft.replyTo === null) localStorage.removeItem(key);
  else keepItem(localStorage, key, JSON.stringify(draft));
  for (const listener of listeners) listener();
}

/** The draft of a conversation; undefined without one. */
export function draftOf(userId: number, conversationId: number): Draft | undefined {
  const key = keyOf(userId, conversationId);
  const raw = localStorage.getItem(key);
  if (raw === null) return undefined;
  const known = read.get(key);
  if (known?.raw === raw) return known.draft;
  try {
    const draft = JSON.parse(raw) as Draft;
    read.set(key, { raw, draft });
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

/** The same, as it changes. */
export const useDraft = (userId: number, conversationId: number): Draft | undefined =>
  useSyncExternalStore(subscribe, () => draftOf(userId, conversationId));

/** What a message looks like in an answer to it. */
export const quoteOf = ({
  id,
  sender_id,
  sender_name,
  type,
  display_content,
  is_recalled,
}: MessageResponse): QuoteResponse => ({ id, sender_id, sender_name, type, display_content, is_recalled });
