import { offsetOf, type PageRequest, type Slice } from '../../common/http/page';

/*
 * The order of a user's conversations, from its two sources: those fanned out on write, which the database keeps in
 * order, and the few fanned out on read (large groups), whose order is only known when it is asked for. Pure.
 */

/** Where a conversation stands in the list. */
export interface ListKey {
  conversation_id: number;
  pinned: boolean;
  /** When the newest message came, or the member. */
  sort_at: Date;
}

/** Which of those fanned out on write a page can need, when `others` more are mixed in among them. */
export function fanOutOnWriteSlice(page: PageRequest, others: number): Slice {
  return {
    offset: Math.max(0, offsetOf(page) - others),
    limit: page.per_page + others,
  };
}

/**
 * The page itself, from that slice and all that are fanned out on read. Whatever lies before the slice takes exactly
 * `offset` places of the whole list, so places are counted from there. A group that has just grown may be in both.
 */
export function mergePage<T extends ListKey>(page: PageRequest, fanOutOnWrite: T[], fanOutOnRead: T[]): T[] {
  const start = offsetOf(page) - fanOutOnWriteSlice(page, fanOutOnRead.length).offset;
  const large = new Set(fanOutOnRead.map(({ conversation_id }) => conversation_id));
  const others = fanOutOnWrite.filter(({ conversation_id }) => !large.has(conversation_id));
  return [...others, ...fanOutOnRead].toSorted(byListOrder).slice(start, start + page.per_page);
}

/** Pinned first, then the newest message, then the higher id (contract 6). */
export const byListOrder = (a: ListKey, b: ListKey): number =>
  Number(b.pinned) - Number(a.pinned) ||
  b.sort_at.getTime() - a.sort_at.getTime() ||
  b.conversation_id - a.conversation_id;
