import type { EntityManager } from 'typeorm';
import { forcePrimaryKey, lockingUnion, placeholders, tupleList } from '../../database/sql/dialect';
import type { ConversationId, MessageId } from '../../common/ids';
import { blockedBetween } from '../../people/blocks/blocks.store';
import { UNREAD } from './members.store';
import { MEMBERSHIP_COLUMNS, type Membership } from './membership.store';
import type { MemberState, UsedId } from '../rules/send-batch.rules';

/** A member who sends messages, with the name and avatar to show. */
export interface MessageSender extends Membership {
  name: string | null;
  avatar: string | null;
  /** Whether this is a single chat in which one of the users has blocked the other. */
  blocked: boolean;
}

/** The state of a conversation before messages are added to it. */
export interface SendContext {
  /** The senders who are members, by user id. */
  senders: Map<number, MessageSender>;
  /** All members if the conversation is fanned out on write, otherwise the senders among them. */
  members: CountedMember[];
  /** Number of the newest message. */
  maxSeq: number;
  lastMessageId: MessageId | null;
}

/** The columns of a member's row that the counts depend on. */
export interface CountedMember extends MemberState {
  hidden: number;
  muted: number;
}

/** A user who wants to send, and the conversation. */
interface SendTarget {
  conversationId: number;
  userId: number;
}

interface ConversationRow {
  id: ConversationId;
  pulled: number;
  top_id: MessageId | null;
}

type StateRow = CountedMember & { conversation_id: ConversationId };
type SenderRow = Omit<MessageSender, 'pulled' | 'blocked'> & StateRow & { pulled: number; blocked: number };
type MemberRow = StateRow & { [Column in Exclude<keyof SenderRow, keyof StateRow>]: null };
type Row = SenderRow | MemberRow;

type Columns = Record<string, string>;

/** The columns that are read of every member. */
const STATE: Columns = {
  conversation_id: 'm.conversation_id',
  user_id: 'm.user_id',
  read_seq: 'm.read_seq',
  unread_count: UNREAD,
  hidden: 'm.hidden',
  muted: 'm.muted',
};
/**
 * The columns that are read of senders. Names and blocks are subqueries, because the rows of joined tables would be
 * locked too.
 */
const SENDER: Columns = {
  ...MEMBERSHIP_COLUMNS,
  ...STATE,
  name: '(SELECT u.name FROM users u WHERE u.id = m.user_id)',
  avatar: '(SELECT u.avatar FROM users u WHERE u.id = m.user_id)',
  blocked: blockedBetween('m.user_id', 'm.peer_id'),
};

/**
 * Lists the columns of a sender, with NULL for those not in `expressions`: the parts of a UNION must have the same
 * columns.
 */
const columnsOf = (expressions: Columns): string =>
  Object.keys(SENDER)
    .map((name) => `${expressions[name] ?? 'NULL'} AS ${name}`)
    .join(', ');

/**
 * Reads and locks the state that sending depends on, until the commit. Lock order: the conversations in ascending order
 * of their ids, so that message numbers are in commit order; then the rows of the members whose counts are published,
 * so that no concurrent read overtakes the counts.
 * @returns the conversations of which at least one of their senders is a member
 */
export async function lockSendContexts(
  em: EntityManager,
  targets: readonly SendTarget[],
): Promise<Map<number, SendContext>> {
  const conversations = await lockConversations(em, targets);
  const fanOutOnWriteIds = conversations.filter(({ pulled }) => !pulled).map(({ id }) => id);
  const rows = conversations.length === 0 ? [] : await lockMembers(em, targets, fanOutOnWriteIds);
  const contexts = new Map<number, SendContext>();
  for (const [id, rowsOfConversation] of Map.groupBy(rows, ({ conversation_id }) => conversation_id)) {
    const senders = rowsOfConversation.filter((row): row is SenderRow => row.type !== null);
    const [first] = senders;
    if (first === undefined) continue;
    contexts.set(id, {
      senders: new Map(
        senders.map((row) => [
          row.user_id,
          { ...row, pulled: Boolean(row.pulled), blocked: Boolean(row.blocked) },
        ]),
      ),
      members: first.pulled ? senders : rowsOfConversation.filter(({ type }) => type === null),
      maxSeq: first.max_seq,
      lastMessageId: conversations.find((conversation) => conversation.id === id)?.top_id ?? null,
    });
  }
  return contexts;
}

/**
 * Locks the conversations of which one of the senders is a member, so that other users cannot block a conversation. A
 * subquery finds them by the primary key of the members, and so in ascending order.
 */
async function lockConversations(
  em: EntityManager,
  targets: readonly SendTarget[],
): Promise<ConversationRow[]> {
  const members = `SELECT DISTINCT conversation_id FROM conversation_members ${forcePrimaryKey(em)}
    WHERE (conversation_id, user_id) IN ${tupleList(em, targets, '?, ?')}`;
  const select = `SELECT c.id, c.pulled,
      (SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = c.max_seq) AS top_id
    FROM (${members}) k JOIN conversations c ${forcePrimaryKey(em)} ON c.id = k.conversation_id`;
  return em.query<ConversationRow[]>(lockingUnion(em, [select]), targets.flatMap(keyOf));
}

const keyOf = ({ conversationId, userId }: SendTarget): [number, number] => [conversationId, userId];

/**
 * Locks and reads the rows of the senders, and of all members of the conversations `fanOutOnWriteIds`. A sender has two
 * rows there.
 */
async function lockMembers(
  em: EntityManager,
  targets: readonly SendTarget[],
  fanOutOnWriteIds: readonly number[],
): Promise<Row[]> {
  const from = `FROM conversation_members m ${forcePrimaryKey(em)} JOIN conversations c ON c.id = m.conversation_id`;
  const parts = [
    `SELECT ${columnsOf(SENDER)} ${from}
     WHERE (m.conversation_id, m.user_id) IN ${tupleList(em, targets, '?, ?')}`,
  ];
  if (fanOutOnWriteIds.length > 0)
    parts.push(
      `SELECT ${columnsOf(STATE)} ${from} WHERE m.conversation_id IN (${placeholders(fanOutOnWriteIds)})`,
    );
  return em.query<Row[]>(lockingUnion(em, parts), [...targets.flatMap(keyOf), ...fanOutOnWriteIds]);
}

/** Returns the `client_msg_id`s that the senders have used in their conversations before. */
export async function usedIds(
  em: EntityManager,
  sends: readonly (SendTarget & { body: { client_msg_id?: string } })[],
): Promise<UsedId[]> {
  const identified = sends.filter(({ body }) => body.client_msg_id !== undefined);
  if (identified.length === 0) return [];
  return em.query(
    `SELECT conversation_id, sender_id, client_msg_id FROM messages
     WHERE (conversation_id, sender_id, client_msg_id) IN ${tupleList(em, identified, '?, ?, ?')}`,
    identified.flatMap(({ conversationId, userId, body }) => [conversationId, userId, body.client_msg_id]),
  );
}
