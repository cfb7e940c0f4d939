import type { EntityManager } from 'typeorm';
import { byPrimaryKey, lockingUnion, placeholders } from '../../database/dialect';
import type { MessageId } from '../../common/ids';
import { UNREAD } from './members.queries';
import { MEMBERSHIP_COLUMNS, type Membership } from './membership';
import type { MemberState, UsedId } from '../rules/send-batch';

/** A member who sends, and how that member is shown. */
export interface Sender extends Membership {
  name: string | null;
  avatar: string | null;
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
  /** Those who have hidden the conversation until the next message. */
  hiding: number[];
}

/** A member, as far as that member's counts are concerned. */
export interface CountedMember extends MemberState {
  hidden: number;
  muted: number;
}

type SenderRow = Omit<Sender, 'pulled'> & CountedMember & { pulled: number; top_id: MessageId | null };
type OtherRow = CountedMember & { [Column in Exclude<keyof SenderRow, keyof CountedMember>]: null };
type Row = SenderRow | OtherRow;

type Columns = Record<string, string>;

/** What is read of every member. */
const STATE: Columns = {
  user_id: 'm.user_id',
  read_seq: 'm.read_seq',
  unread_count: UNREAD,
  hidden: 'm.hidden',
  muted: 'm.muted',
};
/** What is read of those who send. Names are looked up, since whatever is joined would be held as well. */
const SENDER: Columns = {
  ...MEMBERSHIP_COLUMNS,
  ...STATE,
  name: '(SELECT u.name FROM users u WHERE u.id = m.user_id)',
  avatar: '(SELECT u.avatar FROM users u WHERE u.id = m.user_id)',
  top_id: '(SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = c.max_seq)',
};

/** All columns of a sender, those that are not `known` as NULL: the parts of a UNION have the same ones. */
const columnsOf = (known: Columns): string =>
  Object.keys(SENDER)
    .map((name) => `${known[name] ?? 'NULL'} AS ${name}`)
    .join(', ');

/**
 * Reads all that sending needs to know, and holds it until the commit: the conversation, so that numbers are in the
 * order of commits, and the rows of the members whose counts are told of, so that no reading overtakes them.
 */
export async function lockSendContext(
  em: EntityManager,
  conversationId: number,
  senderIds: number[],
): Promise<SendContext> {
  const among = placeholders(senderIds);
  const members = `FROM conversations c
    JOIN conversation_members m ${byPrimaryKey(em)} ON m.conversation_id = c.id WHERE c.id = ?`;
  const rows = await em.query<Row[]>(
    lockingUnion(em, [
      `SELECT ${columnsOf(SENDER)} ${members} AND m.user_id IN (${among})`,
      `SELECT ${columnsOf(STATE)} ${members} AND c.pulled = 0 AND m.user_id NOT IN (${among})`,
    ]),
    [conversationId, ...senderIds, conversationId, ...senderIds],
  );
  const senders = rows.filter((row): row is SenderRow => row.type !== null);
  return {
    senders: new Map(senders.map((row) => [row.user_id, { ...row, pulled: Boolean(row.pulled) }])),
    members: rows.map(({ user_id, read_seq, unread_count, hidden, muted }) => {
      return { user_id, read_seq, unread_count, hidden, muted };
    }),
    top: senders[0]?.max_seq ?? 0,
    topId: senders[0]?.top_id ?? null,
    hiding: rows.filter(({ hidden }) => hidden).map(({ user_id }) => user_id),
  };
}

/** Which of these ids some of these senders have used in the conversation already. */
export async function usedIds(
  em: EntityManager,
  conversationId: number,
  senderIds: number[],
  clientMsgIds: string[],
): Promise<UsedId[]> {
  if (clientMsgIds.length === 0) return [];
  return em.query(
    `SELECT sender_id, client_msg_id FROM messages WHERE conversation_id = ?
     AND sender_id IN (${placeholders(senderIds)}) AND client_msg_id IN (${placeholders(clientMsgIds)})`,
    [conversationId, ...senderIds, ...clientMsgIds],
  );
}
