import type { EntityManager } from 'typeorm';
import type { MessageId } from '../../common/ids';
import { toSqlTimestamp } from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';
import { firstVisible } from '../rules/history-range.rules';
import type { Membership } from './membership.store';

/**
 * Clears the history of a member up to the newest message. The caller holds the conversation lock.
 * @returns false when the member has cleared it up to that message before
 */
export async function clearFor(
  em: EntityManager,
  { conversation_id, user_id, max_seq }: Membership,
  at: Date,
): Promise<boolean> {
  const cleared = await affectedBy(
    em,
    `UPDATE conversation_members SET cleared_seq = ?, cleared_at = ?
     WHERE conversation_id = ? AND user_id = ? AND (cleared_seq < ? OR cleared_at IS NULL)`,
    [max_seq, toSqlTimestamp(em, at), conversation_id, user_id, max_seq],
  );
  return cleared > 0;
}

/** Returns the id of the newest message that a member sees; null when there is none. */
export async function newestVisibleId(em: EntityManager, membership: Membership): Promise<MessageId | null> {
  const { conversation_id, max_seq } = membership;
  if (max_seq < firstVisible(membership)) return null;
  const [row] = await em.query<{ id: MessageId }[]>(
    'SELECT id FROM messages WHERE conversation_id = ? AND seq = ?',
    [conversation_id, max_seq],
  );
  return row?.id ?? null;
}
