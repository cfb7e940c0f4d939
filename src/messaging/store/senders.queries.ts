import type { EntityManager } from 'typeorm';
import { byPrimaryKey, lockingUnion, placeholders, tupleList } from '../../database/dialect';
import type { ConversationId, MessageId } from '../../common/ids';
import { blockedBetween } from '../../people/blocks/blocks.queries';
import { UNREAD } from './members.queries';
import { MEMBERSHIP_COLUMNS, type Membership } from './membership';
import type { MemberState, UsedId } from '../rules/send-batch';

/** A member who sends, and how that member is shown. */
export interface Sender extends Membership {
  name: string | null;
  avatar: string | null;
  /** Whether this is a single chat in which either has blocked the other. */
  blocked: boolean;
}

/** A conversation as it stands before messages are added to it. */
export interface SendContext {
  /** Those who are members. */
  senders: Map<number, Sender>;
  /** All members where each message is fanned out to them, else the senders among them. */
  members: CountedMember[];
  /** The newest message. */
  top: number;
  topId: MessageId | null;
}

/** A member, as far as that member's counts are concerned. */
export interface CountedMember extends MemberState {
  hidden: number;
  muted: number;
}

/** Who wants to send where. */
interface Place {
  conversationId: number;
  userId: number;
}

interface ConversationRow {
  id: ConversationId;
  pulled: number;
  top_id: MessageId | null;
}

type StateRow = CountedMember & { conversation_id: ConversationId };
type SenderRow = Omit<Sender, 'pulled' | 'blocked'> & StateRow & { pulled: number; blocked: number };
type OtherRow = StateRow & { [Column in Exclude<keyof SenderRow, keyof StateRow>]: null };
type Row = SenderRow | OtherRow;

type Columns = Record<string, string>;

/** What is read of every member. */
const STATE: Columns = {
  conversation_id: 'm.conversation_id',
  user_id: 'm.user_id',
  read_seq: 'm.read_seq',
  unread_count: UNREAD,
  hidden: 'm.hidden',
  muted: 'm.muted',
};
/** What is read of those who send. Names and blocks are looked up, since whatever is joined would be held as well. */
const SENDER: Columns = {
  ...MEMBERSHIP_COLUMNS,
  ...STATE,
  name: '(SELECT u.name FROM users u WHERE u.id = m.user_id)',
  avatar: '(SELECT u.avatar FROM users u WHERE u.id = m.user_id)',
  blocked: blockedBetween('m.user_id', 'm.peer_id'),
};

/** All columns of a sender, those that are not `known` as NULL: the parts of a UNION have the same ones. */
const columnsOf = (known: Columns): string =>
  Object.keys(SENDER)
    .map((name) => `${known[name] ?? 'NULL'} AS ${name}`)
    .join(', ');

/**
 * Reads all that sending needs to know, and holds it until the commit: the conversations in ascending order, so that
 * numbers are in the order of commits, and then the rows of the members whose counts are told of, so that no reading
 * overtakes them.
 * @returns the conversations in which somebody is a member who wants to send there
 */
export async function lockSendContexts(
  em: EntityManager,
  places: readonly Place[],
): Promise<Map<number, SendContext>> {
  const conversations = await lockConversations(em, places);
  const ids = conversations.filter(({ pulled }) => !pulled).map(({ id }) => id);
  const rows = conversations.length === 0 ? [] : await lockMembers(em, places, ids);
  const contexts = new Map<number, SendContext>();
  for (const [id, own] of Map.groupBy(rows, ({ conversation_id }) => conversation_id)) {
    const senders = own.filter((row): row is SenderRow => row.type !== null);
    const [first] = senders;
    if (first === undefined) continue;
    contexts.set(id, {
      senders: new Map(
        senders.map((row) => [
          row.user_id,
          { ...row, pulled: Boolean(row.pulled), blocked: Boolean(row.blocked) },
        ]),
      ),
      members: first.pulled ? senders : own.filter(({ type }) => type === null),
      top: first.max_seq,
      topId: conversations.find((conversation) => conversation.id === id)?.top_id ?? null,
    });
  }
  return contexts;
}

/**
 * Strangers make nobody wait: those conversations are held where one of the senders is a member. They are found first,
 * by the members' key and so in the order of the conversations.
 */
async function lockConversations(em: EntityManager, places: readonly Place[]): Promise<ConversationRow[]> {
  const members = `SELECT DISTINCT conversation_id FROM conversation_members ${byPrimaryKey(em)}
    WHERE (conversation_id, user_id) IN ${tupleList(em, places, '?, ?')}`;
  const select = `SELECT c.id, c.pulled,
      (SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = c.max_seq) AS top_id
    FROM (${members}) k JOIN conversations c ${byPrimaryKey(em)} ON c.id = k.conversation_id`;
  return em.query<ConversationRow[]>(lockingUnion(em, [select]), places.flatMap(keyOf));
}

const keyOf = ({ conversationId, userId }: Place): [number, number] => [conversationId, userId];

/** The senders, and in the conversations of `fannedOut` all members; a sender's row comes twice there. */
async function lockMembers(
  em: EntityManager,
  places: readonly Place[],
  fannedOut: readonly number[],
): Promise<Row[]> {
  const from = `FROM conversation_members m ${byPrimaryKey(em)} JOIN conversations c ON c.id = m.conversation_id`;
  const parts = [
    `SELECT ${columnsOf(SENDER)} ${from}
     WHERE (m.conversation_id, m.user_id) IN ${tupleList(em, places, '?, ?')}`,
  ];
  if (fannedOut.length > 0)
    parts.push(`SELECT ${columnsOf(STATE)} ${from} WHERE m.conversation_id IN (${placeholders(fannedOut)})`);
  return em.query<Row[]>(lockingUnion(em, parts), [...places.flatMap(keyOf), ...fannedOut]);
}

/** Which of their ids some senders have used in their conversations already. */
export async function usedIds(
  em: EntityManager,
  sends: readonly (Place & { body: { client_msg_id?: string } })[],
): Promise<UsedId[]> {
  const named = sends.filter(({ body }) => body.client_msg_id !== undefined);
  if (named.length === 0) return [];
  return em.query(
    `SELECT conversation_id, sender_id, client_msg_id FROM messages
     WHERE (conversation_id, sender_id, client_msg_id) IN ${tupleList(em, named, '?, ?, ?')}`,
    named.flatMap(({ conversationId, userId, body }) => [conversationId, userId, body.client_msg_id]),
  );
}
