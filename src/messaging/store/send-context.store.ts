import type { EntityManager } from 'typeorm';
import {
  forcePrimaryKey,
  lockingShared,
  lockingUnion,
  straightJoin,
  tupleList,
} from '../../database/sql/dialect';
import type { ConversationId, MessageId } from '../../common/ids';
import { blockedBetween } from '../../people/blocks/blocks.store';
import type { ConversationUser } from '../../people/contact-graph';
import { MEMBERSHIP_COLUMNS, type Membership, UNREAD } from './membership.store';
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
  /** The columns of the conversation, as the membership of any sender has them. */
  conversation: Membership;
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

type StateRow = CountedMember & { conversation_id: ConversationId };
type SenderRow = Omit<MessageSender, 'pulled' | 'blocked'> &
  StateRow & { pulled: number; blocked: number; last_message_id: MessageId | null };
type MemberRow = StateRow & { [Column in Exclude<keyof SenderRow, keyof StateRow>]: null };
/** A large group, whose members are not read. */
type LargeGroupRow = Omit<MemberRow, 'user_id'> & { user_id: null };
type Row = SenderRow | MemberRow | LargeGroupRow;

type Columns = Record<string, string>;

/**
 * Returns the lists of columns that are read of every member and of senders, with NULL for those that are read of
 * senders only: the parts of a UNION must have the same columns. Names and blocks are subqueries, because the rows of
 * joined tables would be locked too. The newest message is locked, because other subqueries do not see a message that
 * was committed while the statement waited for the conversation.
 * @param end the end of a locking subquery
 */
function columnLists(end: string): { member: string; sender: string } {
  const member: Columns = {
    conversation_id: 'c.id',
    user_id: 'm.user_id',
    read_seq: 'm.read_seq',
    unread_count: UNREAD,
    hidden: 'm.hidden',
    muted: 'm.muted',
  };
  const sender: Columns = {
    ...MEMBERSHIP_COLUMNS,
    ...member,
    name: '(SELECT u.name FROM users u WHERE u.id = m.user_id)',
    avatar: '(SELECT u.avatar FROM users u WHERE u.id = m.user_id)',
    blocked: blockedBetween('m.user_id', 'm.peer_id'),
    last_message_id: `(SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = c.max_seq${end})`,
  };
  const listOf = (expressions: Columns): string =>
    Object.keys(sender)
      .map((name) => `${expressions[name] ?? 'NULL'} AS ${name}`)
      .join(', ');
  return { member: listOf(member), sender: listOf(sender) };
}

/** The lists of each database, by the end of a locking subquery. Kept, so that a send does not build them. */
const listsByEnd = new Map<string, ReturnType<typeof columnLists>>();

function columnListsFor(em: EntityManager): ReturnType<typeof columnLists> {
  const end = lockingShared(em);
  const lists = listsByEnd.get(end) ?? columnLists(end);
  listsByEnd.set(end, lists);
  return lists;
}

const toSender = (row: SenderRow): MessageSender => ({
  ...row,
  pulled: Boolean(row.pulled),
  blocked: Boolean(row.blocked),
});

/**
 * Reads and locks the state that sending depends on, until the commit. Lock order: each conversation before the rows of
 * its members, and the conversations in ascending order of their ids. So message numbers are in commit order, and no
 * concurrent read overtakes the counts that are published.
 * @returns the conversations of which at least one of their senders is a member
 */
export async function lockSendContexts(
  em: EntityManager,
  targets: readonly ConversationUser[],
): Promise<Map<number, SendContext>> {
  const rows = await lockRowsOf(em, targets);
  const contexts = new Map<number, SendContext>();
  for (const [id, rowsOfConversation] of Map.groupBy(rows, ({ conversation_id }) => conversation_id)) {
    const senders = rowsOfConversation.filter((row): row is SenderRow => row.type !== null);
    const others = rowsOfConversation.filter((row): row is MemberRow | LargeGroupRow => row.type === null);
    const [first] = senders;
    // A user who was added after the statement had begun is not a member yet: the conversation was locked too late.
    if (first === undefined || others.length === 0) continue;
    contexts.set(id, {
      conversation: toSender(first),
      senders: new Map(senders.map((row) => [row.user_id, toSender(row)])),
      members: first.pulled ? senders : others.filter((row): row is MemberRow => row.user_id !== null),
      maxSeq: first.max_seq,
      lastMessageId: first.last_message_id,
    });
  }
  return contexts;
}

/**
 * Locks the conversations of which one of the senders is a member, then the members of those that are fanned out on
 * write, then the senders. A user who is not a member locks nothing, and so blocks no conversation. A subquery finds
 * the conversations by the primary key of the members, and so in ascending order. Members of a large group are not
 * reached, because the join begins at the conversation.
 * @returns a row per member of a small conversation, a row per large group, and a further row per sender
 */
async function lockRowsOf(em: EntityManager, targets: readonly ConversationUser[]): Promise<Row[]> {
  const primaryKey = forcePrimaryKey(em);
  const { member, sender } = columnListsFor(em);
  const keys = tupleList(em, targets, '?, ?');
  const conversations = `SELECT DISTINCT conversation_id FROM conversation_members ${primaryKey}
    WHERE (conversation_id, user_id) IN ${keys}`;
  const parts = [
    `SELECT ${member} FROM (${conversations}) k
     ${straightJoin(em)} conversations c ${primaryKey} ON c.id = k.conversation_id
     LEFT JOIN conversation_members m ${primaryKey} ON m.conversation_id = c.id AND c.pulled = 0`,
    `SELECT ${sender} FROM conversation_members m ${primaryKey} JOIN conversations c ON c.id = m.conversation_id
     WHERE (m.conversation_id, m.user_id) IN ${keys}`,
  ];
  const parameters = targets.flatMap(({ conversationId, userId }) => [conversationId, userId]);
  return em.query<Row[]>(lockingUnion(em, parts), [...parameters, ...parameters]);
}

/** Returns the `client_msg_id`s that the senders have used in their conversations before. */
export async function usedIds(
  em: EntityManager,
  sends: readonly (ConversationUser & { body: { client_msg_id?: string } })[],
): Promise<UsedId[]> {
  const identified = sends.filter(({ body }) => body.client_msg_id !== undefined);
  if (identified.length === 0) return [];
  return em.query(
    `SELECT conversation_id, sender_id, client_msg_id FROM messages
     WHERE (conversation_id, sender_id, client_msg_id) IN ${tupleList(em, identified, '?, ?, ?')}`,
    identified.flatMap(({ conversationId, userId, body }) => [conversationId, userId, body.client_msg_id]),
  );
}

/** A user in a conversation. */
export interface MemberKey {
  conversation_id: number;
  user_id: number;
}

/** A member, and which messages of the conversation the member sees. */
export type MemberPlace = Pick<
  Membership,
  'conversation_id' | 'user_id' | 'join_seq' | 'cleared_seq' | 'last_deleted_seq'
>;

/** Returns the members among these users. */
export async function membersAmong(em: EntityManager, places: readonly MemberKey[]): Promise<MemberPlace[]> {
  if (places.length === 0) return [];
  return em.query<MemberPlace[]>(
    `SELECT conversation_id, user_id, join_seq, cleared_seq, last_deleted_seq FROM conversation_members ${forcePrimaryKey(em)}
     WHERE (conversation_id, user_id) IN ${tupleList(em, places, '?, ?')}`,
    places.flatMap(({ conversation_id, user_id }) => [conversation_id, user_id]),
  );
}
