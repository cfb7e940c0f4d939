import { offsetOf, type PageRequest, type Slice } from '../../common/http/page';

/*
 * The order of a user's conversations, which come from two sources: those fanned out on write, which the database keeps
 * in order, and the few fanned out on read (large groups), whose order is only known when they are read. Pure.
 */

/** The sort key of a conversation in the list. */
export interface ConversationListKey {
  conversation_id: number;
  pinned: boolean;
  /** Time of the newest message that the member sees, or of joining. */
  sort_at: Date;
}

/**
 * Returns the slice of the conversations fanned out on write that a page may need when `added` others are merged into
 * them.
 */
export function fanOutOnWriteSlice(page: PageRequest, added: number): Slice {
  return {
    offset: Math.max(0, offsetOf(page) - added),
    limit: page.per_page + added,
  };
}

/**
 * Returns a page, from the slice of `fanOutOnWriteSlice` and all conversations that are fanned out on read. The
 * conversations before the slice fill exactly `offset` positions of the whole list, so positions are counted from
 * there. A group that has just become large may be in both sources.
 */
export function mergePage<T extends ConversationListKey>(
  page: PageRequest,
  fanOutOnWrite: T[],
  fanOutOnRead: T[],
): T[] {
  const start = offsetOf(page) - fanOutOnWriteSlice(page, fanOutOnRead.length).offset;
  const large = new Set(fanOutOnRead.map(({ conversation_id }) => conversation_id));
  const small = fanOutOnWrite.filter(({ conversation_id }) => !large.has(conversation_id));
  return [...small, ...fanOutOnRead].toSorted(byListOrder).slice(start, start + page.per_page);
}

/** Order of the list: pinned first, then the newest message, then the higher id (API 7.2). */
export const byListOrder = (a: ConversationListKey, b: ConversationListKey): number =>
  Number(b.pinned) - Number(a.pinned) ||
  b.sort_at.getTime() - a.sort_at.getTime() ||
  b.conversation_id - a.conversation_id;
