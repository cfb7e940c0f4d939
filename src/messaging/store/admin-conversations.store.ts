import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { allOf, type RawTimestamp, type SqlPart, toDate, toDateOrNull } from '../../database/sql/dialect';
import type { ListAllConversationsQuery } from '../dto/admin-conversation.dto';
import type { ConversationType } from '../entities/conversation.entity';

/** A conversation in the list of all conversations. */
export interface ListedConversation {
  id: ConversationId;
  type: ConversationType;
  single_key: string | null;
  name: string;
  avatar: string | null;
  member_count: number;
  max_seq: number;
  notice_count: number;
  created_at: Date;
  last_message_at: Date | null;
}

type RawConversation = Omit<ListedConversation, 'created_at' | 'last_message_at'> & {
  created_at: RawTimestamp;
  last_message_at: RawTimestamp | null;
};

const SELECT = `SELECT c.id, c.type, c.single_key, c.name, c.avatar, c.member_count, c.max_seq, c.notice_count,
    c.created_at, l.created_at AS last_message_at
  FROM conversations c LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = c.max_seq`;

/**
 * Returns at most `limit` conversations that match, newest first. Groups that are being deleted are left out.
 * @param filter `below`: only conversations with a lower id
 */
export async function newestConversations(
  em: EntityManager,
  filter: Pick<ListAllConversationsQuery, 'type' | 'keyword' | 'user_id'> & { below?: number },
  limit: number,
): Promise<ListedConversation[]> {
  const { type, keyword, user_id, below } = filter;
  const conditions: SqlPart[] = [{ sql: 'c.member_count > 0', parameters: [] }];
  const where = (sql: string, value: unknown): void => void conditions.push({ sql, parameters: [value] });
  if (user_id !== undefined)
    where('c.id IN (SELECT m.conversation_id FROM conversation_members m WHERE m.user_id = ?)', user_id);
  if (type !== undefined) where('c.type = ?', type);
  // INSTR has no wildcards, unlike LIKE, and exists in both databases. LOWER of SQLite changes ASCII letters only.
  if (keyword !== undefined) where('INSTR(LOWER(c.name), LOWER(?)) > 0', keyword);
  if (below !== undefined) where('c.id < ?', below);
  const { sql, parameters } = allOf(conditions);
  const rows = await em.query<RawConversation[]>(`${SELECT}${sql} ORDER BY c.id DESC LIMIT ?`, [
    ...parameters,
    limit,
  ]);
  return rows.map(toConversation);
}

/** Returns a conversation that has members; undefined if there is none. */
export async function findConversation(
  em: EntityManager,
  id: ConversationId,
): Promise<ListedConversation | undefined> {
  const [row] = await em.query<RawConversation[]>(`${SELECT} WHERE c.id = ? AND c.member_count > 0`, [id]);
  return row && toConversation(row);
}

const toConversation = (row: RawConversation): ListedConversation => ({
  ...row,
  created_at: toDate(row.created_at),
  last_message_at: toDateOrNull(row.last_message_at),
});

/** Returns sender and time of the messages of users with a greater number, in no particular order. */
export async function sentAfter(
  em: EntityManager,
  id: ConversationId,
  seq: number,
): Promise<{ sender_id: number; created_at: Date }[]> {
  const rows = await em.query<{ sender_id: number; created_at: RawTimestamp }[]>(
    'SELECT sender_id, created_at FROM messages WHERE conversation_id = ? AND seq > ? AND notice IS NULL',
    [id, seq],
  );
  return rows.map(({ sender_id, created_at }) => ({ sender_id, created_at: toDate(created_at) }));
}
