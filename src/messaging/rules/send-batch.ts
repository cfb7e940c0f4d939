import type { SeqRange } from './history-range';

/*
 * Sends that share a transaction, as if each had had its own. Pure.
 */

/** What a member wants to be sent. */
export interface Send<Body extends { client_msg_id?: string }> {
  userId: number;
  conversationId: number;
  body: Body;
}

/** A client's own id of a message, which names it for good. */
export interface UsedId {
  conversation_id: number;
  sender_id: number;
  client_msg_id: string;
}

/** `repeated`: the sender has sent it before, or earlier in the same batch. What is refused leaves its id free. */
export type SendOutcome = 'new' | 'repeated' | 'refused';

/**
 * What is to become of each of some sends, in their order.
 * @param isAcceptable whether there is all that a member's send refers to, and the sender may do it
 */
export function outcomesOf<One extends Send<{ client_msg_id?: string }>>(
  sends: readonly One[],
  isMember: (send: One) => boolean,
  used: readonly UsedId[],
  isAcceptable: (send: One) => boolean = () => true,
): SendOutcome[] {
  const taken = new Set(
    used.map(({ conversation_id, sender_id, client_msg_id }) =>
      keyOf(conversation_id, sender_id, client_msg_id),
    ),
  );
  return sends.map((send) => {
    if (!isMember(send)) return 'refused';
    const { conversationId, userId, body } = send;
    const key = body.client_msg_id && keyOf(conversationId, userId, body.client_msg_id);
    // What was sent before is answered, whatever has become of what it refers to.
    if (key !== undefined && taken.has(key)) return 'repeated';
    if (!isAcceptable(send)) return 'refused';
    if (key !== undefined) taken.add(key);
    return 'new';
  });
}

const keyOf = (conversationId: number, senderId: number, clientMsgId: string): string =>
  `${conversationId} ${senderId} ${clientMsgId}`;

/** How a member stands to the messages of a conversation. */
export interface MemberState {
  user_id: number;
  read_seq: number;
  unread_count: number;
}

/** A send that has its number, as if it were alone. */
export interface Numbered<One> {
  send: One;
  seq: number;
  /** What the sender had not read until then; nothing when `from > to`. */
  read: SeqRange;
}

/**
 * Numbers the sends of one conversation, in order. Sending moves the sender's position to the new message.
 * @param top the newest number so far
 * @param members as they stand to number `top`; every sender is among them
 */
export function numberSends<One extends { userId: number }>(
  top: number,
  members: readonly MemberState[],
  sends: readonly One[],
): Numbered<One>[] {
  const positions = new Map(members.map(({ user_id, read_seq }) => [user_id, read_seq]));
  return sends.map((send, index) => {
    const seq = top + index + 1;
    const position = positions.get(send.userId) ?? seq;
    positions.set(send.userId, seq);
    return { send, seq, read: { from: position + 1, to: seq - 1 } };
  });
}

/** Messages that follow one another and differ, to one member, only in how many are then unread. */
export interface MessageRun {
  /** Which of the messages is the first, and how many they are. */
  line: number;
  length: number;
  /** Whether they are the member's own: then nothing is unread; else one more with each of them. */
  isSelf: boolean;
  /** What is unread with the first of them. */
  unread_count: number;
}

/**
 * How messages that are sent together come to a member.
 * @param unread what the member has not read before
 * @param senders of the messages, in their order
 * @param isCut whether the member is told of something else right before a message
 */
export function runsFor(
  { user_id, unread_count: unread }: Pick<MemberState, 'user_id' | 'unread_count'>,
  senders: readonly number[],
  isCut: (index: number) => boolean,
): MessageRun[] {
  const runs: MessageRun[] = [];
  let unread_count = unread;
  for (const [line, sender] of senders.entries()) {
    const isSelf = sender === user_id;
    unread_count = isSelf ? 0 : unread_count + 1;
    const run = runs.at(-1);
    if (run?.isSelf === isSelf && !isCut(line)) run.length += 1;
    else runs.push({ line, length: 1, isSelf, unread_count });
  }
  return runs;
}

/** What a member has not read once messages of these senders are there. */
export function unreadAfter(
  { user_id, unread_count }: Pick<MemberState, 'user_id' | 'unread_count'>,
  senders: readonly number[],
): number {
  const own = senders.lastIndexOf(user_id);
  return own === -1 ? unread_count + senders.length : senders.length - 1 - own;
}
