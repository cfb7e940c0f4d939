import type { EntityManager } from 'typeorm';
import { byPrimaryKey, lockingUnion } from '../database/row-lock';
import { MEMBERSHIP_COLUMNS, type Membership } from './membership';
import { UNREAD } from './members.queries';
import { placeholders } from './rows';
import type { Standing, UsedId } from './sends';

/** A member who sends, and how that member is shown. */
export interface Sender extends Membership {
  name: string | null;
  avatar: string | null;
}

/** A conversation as it stands before messages are added to it. */
export interface Scene {
  /** Those who are members. */
  senders: Map<number, Sender>;
  /** All members where the conversation is pushed, else the senders among them. */
  members: Standing[];
  /** The newest message. */
  top: number;
  topId: number | null;
  /** Those who have hidden the conversation until the next message. */
  hiding: number[];
}

type MemberRow = Standing & { hidden: number };
type SenderRow = Omit<Sender, 'pulled'> & MemberRow & { pulled: number; top_id: number | null };
type Row = SenderRow | (MemberRow & { type: null });

const STATE_COLUMNS = ['m.user_id', 'm.read_seq', `${UNREAD} AS unread_count`, 'm.hidden'];
const SENDER_COLUMNS = [
  ...new Set([...STATE_COLUMNS, ...MEMBERSHIP_COLUMNS]),
  // Looked up one by one, since whatever is joined would be held as well.
  '(SELECT u.name FROM users u WHERE u.id = m.user_id) AS name',
  '(SELECT u.avatar FROM users u WHERE u.id = m.user_id) AS avatar',
  '(SELECT l.id FROM messages l WHERE l.conversation_id = c.id AND l.seq = c.max_seq - ?) AS top_id',
];
/** Of the others only the counts are of interest. */
const OTHERS_COLUMNS = SENDER_COLUMNS.map((column, index) =>
  index < STATE_COLUMNS.length ? column : 'NULL',
);

/**
 * Reads all that sending needs to know, holding the members' rows: what is told of their counts must not be overtaken
 * by a reading that is under way.
 * @param taken how many numbers the transaction has taken already
 */
export async function sceneOf(
  em: EntityManager,
  conversationId: number,
  senderIds: number[],
  taken: number,
): Promise<Scene> {
  const among = placeholders(senderIds);
  const members = `FROM conversations c
    JOIN conversation_members m ${byPrimaryKey(em)} ON m.conversation_id = c.id WHERE c.id = ?`;
  const rows = await em.query<Row[]>(
    lockingUnion(em, [
      `SELECT ${SENDER_COLUMNS.join(', ')} ${members} AND m.user_id IN (${among})`,
      `SELECT ${OTHERS_COLUMNS.join(', ')} ${members} AND c.pulled = 0 AND m.user_id NOT IN (${among})`,
    ]),
    [taken, conversationId, ...senderIds, conversationId, ...senderIds],
  );
  const senders = rows.filter((row): row is SenderRow => row.type !== null);
  return {
    senders: new Map(senders.map((row) => [row.user_id, { ...row, pulled: Boolean(row.pulled) }])),
    members: rows.map(({ user_id, read_seq, unread_count }) => {
      return { user_id, read_seq, unread_count: unread_count - taken };
    }),
    top: (senders[0]?.max_seq ?? taken) - taken,
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
