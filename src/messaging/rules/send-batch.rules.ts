import type { SeqRange } from './history-range.rules';

/* Sends that share a transaction, with the same results as if each had its own. Pure. */

/** A message that a user wants to send. */
export interface Send<Body extends { client_msg_id?: string }> {
  userId: number;
  conversationId: number;
  body: Body;
}

/** An idempotency key of a sender in a conversation, which belongs to one message permanently. */
export interface UsedId {
  conversation_id: number;
  sender_id: number;
  client_msg_id: string;
}

/**
 * `repeated`: the sender has sent it before, or earlier in the same batch. `rejected`: its `client_msg_id` can be used
 * again.
 */
export type SendOutcome = 'new' | 'repeated' | 'rejected';

/**
 * Returns the outcome of each send, in their order.
 * @param isAcceptable whether everything that a member's send refers to exists, and the sender is allowed to send it
 */
export function outcomesOf<Item extends Send<{ client_msg_id?: string }>>(
  sends: readonly Item[],
  isMember: (send: Item) => boolean,
  used: readonly UsedId[],
  isAcceptable: (send: Item) => boolean = () => true,
): SendOutcome[] {
  const usedKeys = new Set(
    used.map(({ conversation_id, sender_id, client_msg_id }) =>
      keyOf(conversation_id, sender_id, client_msg_id),
    ),
  );
  return sends.map((send) => {
    if (!isMember(send)) return 'rejected';
    const { conversationId, userId, body } = send;
    const key = body.client_msg_id && keyOf(conversationId, userId, body.client_msg_id);
    // The response to a repeated send is the original message, even if a message that it refers to no longer exists.
    if (key !== undefined && usedKeys.has(key)) return 'repeated';
    if (!isAcceptable(send)) return 'rejected';
    if (key !== undefined) usedKeys.add(key);
    return 'new';
  });
}

const keyOf = (conversationId: number, senderId: number, clientMsgId: string): string =>
  `${conversationId} ${senderId} ${clientMsgId}`;

/** A member's read state in a conversation. */
export interface MemberState {
  user_id: number;
  read_seq: number;
  unread_count: number;
}

/** A send with its message number, as if it were alone. */
export interface Numbered<Item> {
  send: Item;
  seq: number;
  /** The messages that the sender had not read until then; none when `from > to`. */
  read: SeqRange;
}

/**
 * Numbers the sends of one conversation, in order. Sending moves the read position of the sender to the new message.
 * @param top number of the newest message so far
 * @param members their state at message `top`; includes every sender
 */
export function numberSends<Item extends { userId: number }>(
  top: number,
  members: readonly MemberState[],
  sends: readonly Item[],
): Numbered<Item>[] {
  const positions = new Map(members.map(({ user_id, read_seq }) => [user_id, read_seq]));
  return sends.map((send, index) => {
    const seq = top + index + 1;
    const position = positions.get(send.userId) ?? seq;
    positions.set(send.userId, seq);
    return { send, seq, read: { from: position + 1, to: seq - 1 } };
  });
}

/** Returns the unread count of a member after messages of these senders. */
export function unreadAfter(
  { user_id, unread_count }: Pick<MemberState, 'user_id' | 'unread_count'>,
  senders: readonly number[],
): number {
  const lastOwn = senders.lastIndexOf(user_id);
  return lastOwn === -1 ? unread_count + senders.length : senders.length - 1 - lastOwn;
}
