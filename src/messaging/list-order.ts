import { offsetOf, type PageRequest } from '../common/http/page';

/*
 * The order of a user's conversations, from its two sources: the pushed ones, which the database keeps in order, and
 * the few pulled ones (large groups), whose order is only known when it is asked for. Pure.
 */

/** Where a conversation stands in the list. */
export interface ListKey {
  conversation_id: number;
  pinned: boolean;
  /** When the newest message came, or the member. */
  sort_at: Date;
}

/** A part of an ordered list. */
export interface Slice {
  offset: number;
  limit: number;
}

/** Which of the pushed conversations a page can need, when `pulledCount` others are mixed in among them. */
export function pushedSlice(page: PageRequest, pulledCount: number): Slice {
  return {
    offset: Math.max(0, offsetOf(page) - pulledCount),
    limit: page.per_page + pulledCount,
  };
}

/**
 * A slice of a list of `length`, counted from the nearer end: a database walks over all that comes before it.
 * @returns `backwards`: the slice of the list in the opposite order
 */
export function fromNearerEnd({ offset, limit }: Slice, length: number): Slice & { backwards: boolean } {
  const end = Math.min(offset + limit, length);
  if (offset <= length - end) return { offset, limit, backwards: false };
  return { offset: length - end, limit: Math.max(0, end - offset), backwards: true };
}

/**
 * The page itself, from that slice and all pulled conversations. Whatever lies before the slice takes exactly
 * `offset` places of the whole list, so places are counted from there. A group that has just grown may be in both.
 */
export function mergePage<T extends ListKey>(page: PageRequest, pushed: T[], pulled: T[]): T[] {
  const start = offsetOf(page) - pushedSlice(page, pulled.length).offset;
  const large = new Set(pulled.map(({ conversation_id }) => conversation_id));
  const others = pushed.filter(({ conversation_id }) => !large.has(conversation_id));
  return [...others, ...pulled].toSorted(byListOrder).slice(start, start + page.per_page);
}

/** Pinned first, then the newest message, then the higher id (contract 6). */
export const byListOrder = (a: ListKey, b: ListKey): number =>
  Number(b.pinned) - Number(a.pinned) ||
  b.sort_at.getTime() - a.sort_at.getTime() ||
  b.conversation_id - a.conversation_id;
