/*
 * Counts the readers of each message of a page. Every member has one read position, so the counts of a whole page
 * follow from the distribution of the positions, at a cost that does not depend on the length of the history (API 8.8).
 * Pure.
 */

/** Number of members at a message number. */
export interface ReaderTally {
  seq: number;
  count: number;
}

/** The distribution of the members of a conversation over the messages `from` to `to` of a page. */
export interface MemberTallies {
  members: number;
  /** Number of members with a read position below `from`. */
  readBelow: number;
  /** Members by read position, from `from` to below `to`. */
  readWithin: ReaderTally[];
  /** Number of members who joined after `to`. */
  joinedAbove: number;
  /** Members by the first message that they see, above `from` and up to `to`. */
  joinedWithin: ReaderTally[];
  /** The senders of messages of the page who are members: user id → number of the first message that they see. */
  senders: Map<number, number>;
}

export interface ReaderCounts {
  read_count: number;
  unread_count: number;
}

/**
 * Counts the readers of message `seq` among the other members who were members when it was sent and have not left
 * since. The read position of a new member is at least `join_seq - 1`, and that of a sender at least their own message,
 * so a position below `seq` always belongs to a member who was there and has not read the message.
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

const sumOf = (tallies: ReaderTally[], wanted: (seq: number) => boolean): number =>
  tallies.reduce((sum, { seq, count }) => (wanted(seq) ? sum + count : sum), 0);
