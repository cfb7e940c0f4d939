/*
 * How many members have read each message of a page. Every member has one read position, so the numbers of a whole
 * page follow from how the positions are spread, at a cost that does not depend on the history (contract 6). Pure.
 */

/** How many members stand at a number. */
export interface Tally {
  seq: number;
  count: number;
}

/** The members of a conversation, as far as a page of messages `from` to `to` can tell them apart. */
export interface MemberTallies {
  members: number;
  /** With a read position below `from`. */
  readBelow: number;
  /** By read position, from `from` to below `to`. */
  readWithin: Tally[];
  /** Who joined after `to`. */
  joinedAbove: number;
  /** By the first message they see, above `from` up to `to`. */
  joinedWithin: Tally[];
  /** The page's senders that are members: user id → the first message they see. */
  senders: Map<number, number>;
}

export interface ReaderCounts {
  read_count: number;
  unread_count: number;
}

/**
 * Counts the readers among the members other than the sender who were there when message `seq` was sent and never left since. Newcomers
 * have a read position of `join_seq - 1` or more and senders one of their own message or more, so a position below
 * `seq` is that of somebody who has it still to read.
 */
export function readerCounts(tallies: MemberTallies, seq: number, senderId: number): ReaderCounts {
  const unread = tallies.readBelow + sumOf(tallies.readWithin, (position) => position < seq);
  const later = tallies.joinedAbove + sumOf(tallies.joinedWithin, (joined) => joined > seq);
  const senderIsThere = (tallies.senders.get(senderId) ?? Number.POSITIVE_INFINITY) <= seq;
  return {
    read_count: tallies.members - later - (senderIsThere ? 1 : 0) - unread,
    unread_count: unread,
  };
}

const sumOf = (tallies: Tally[], wanted: (seq: number) => boolean): number =>
  tallies.reduce((sum, { seq, count }) => (wanted(seq) ? sum + count : sum), 0);
