import type { SeqRange } from './history-range';

/*
 * Sends that share a transaction, as if each had had its own. Pure.
 */

/** What a member wants to be sent. */
export interface Send<Body extends { client_msg_id?: string }> {
  userId: number;
  body: Body;
}

/** A client's own id of a message, which names it for good. */
export interface UsedId {
  sender_id: number;
  client_msg_id: string;
}

/** `repeated`: the sender has sent it before, or earlier in the same batch. */
export type SendOutcome = 'new' | 'repeated' | 'refused';

/** What is to become of each of some sends, in their order. */
export function outcomesOf(
  sends: readonly Send<{ client_msg_id?: string }>[],
  isMember: (userId: number) => boolean,
  used: readonly UsedId[],
): SendOutcome[] {
  const taken = new Set(used.map(({ sender_id, client_msg_id }) => keyOf(sender_id, client_msg_id)));
  return sends.map(({ userId, body: { client_msg_id } }) => {
    if (!isMember(userId)) return 'refused';
    if (client_msg_id === undefined) return 'new';
    const key = keyOf(userId, client_msg_id);
    if (taken.has(key)) return 'repeated';
    taken.add(key);
    return 'new';
  });
}

const keyOf = (senderId: number, clientMsgId: string): string => `${senderId} ${clientMsgId}`;

/** How a member stands to the messages of a conversation. */
export interface MemberState {
  user_id: number;
  read_seq: number;
  unread_count: number;
}

/** A send that has its number, as if it were alone. */
export interface Numbered<One, State> {
  send: One;
  seq: number;
  /** What the sender had not read until then; nothing when `from > to`. */
  read: SeqRange;
  /** How all members stand once it is sent. */
  members: State[];
}

/**
 * Numbers sends, in order. Sending moves the sender's position to the new message; to everybody else it is one more to
 * read.
 * @param top the newest number so far
 * @param members as they stand to number `top`; every sender is among them
 */
export function numberSends<One extends { userId: number }, State extends MemberState>(
  top: number,
  members: readonly State[],
  sends: readonly One[],
): Numbered<One, State>[] {
  let states = [...members];
  return sends.map((send, index) => {
    const seq = top + index + 1;
    const position = states.find(({ user_id }) => user_id === send.userId)?.read_seq ?? seq;
    states = states.map((state) =>
      state.user_id === send.userId
        ? { ...state, read_seq: seq, unread_count: 0 }
        : { ...state, unread_count: state.unread_count + 1 },
    );
    return { send, seq, read: { from: position + 1, to: seq - 1 }, members: states };
  });
}
