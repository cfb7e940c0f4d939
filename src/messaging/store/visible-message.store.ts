import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import type { MessageId, UserId } from '../../common/ids';
import { forcePrimaryKey, placeholders } from '../../database/sql/dialect';
import { MessageIdEntity } from '../entities/message-id.entity';
import type { Membership } from './membership.store';
import { historyOf, type MessageRow } from './message.store';
import { deletedIn } from './deletion.store';

/* Which messages a member sees: those sent since joining, except those that the member has cleared or deleted. */

/** A message, and the membership of a user in its conversation. */
export interface MemberMessage {
  membership: Membership;
  message: MessageRow;
  /** Whether the member has deleted the message for themselves. */
  is_deleted: boolean;
}

/** Returns the primary key of a message. @throws {BusinessError} MESSAGE_NOT_FOUND */
export async function requirePlace(em: EntityManager, id: MessageId): Promise<MessageIdEntity> {
  const place = await em.findOneBy(MessageIdEntity, { id });
  if (place === null) throw new BusinessError('MESSAGE_NOT_FOUND');
  return place;
}

/**
 * Returns a message of the history that a member sees. A message that the member has deleted is still part of it.
 * @throws {BusinessError} MESSAGE_NOT_FOUND if the user is not a member, or the message is not in the history that the
 *   member sees
 */
export async function requireInHistory(
  em: EntityManager,
  userId: UserId,
  { conversation_id, seq }: MessageIdEntity,
): Promise<MemberMessage> {
  const range = { from: seq, to: seq };
  const found = await historyOf(em, userId, conversation_id, {
    ...range,
    isRelative: false,
  });
  const [message] = found?.messages ?? [];
  if (found === undefined || message === undefined) throw new BusinessError('MESSAGE_NOT_FOUND');
  const { membership } = found;
  return {
    membership,
    message,
    is_deleted: (await deletedIn(em, membership, range)).has(seq),
  };
}

/**
 * Returns a message that a user sees.
 * @throws {BusinessError} MESSAGE_NOT_FOUND if the message is not in the history that the user sees, or the user has
 *   deleted it
 */
export async function requireVisible(
  em: EntityManager,
  userId: UserId,
  place: MessageIdEntity,
): Promise<MemberMessage> {
  const found = await requireInHistory(em, userId, place);
  if (found.is_deleted) throw new BusinessError('MESSAGE_NOT_FOUND');
  return found;
}

/** Expression: whether member `m` has deleted message `?`. Only members who have deleted that far need a look-up. */
export const HAS_DELETED = `CASE WHEN m.last_deleted_seq < ? THEN 0 ELSE EXISTS (SELECT 1 FROM message_deletions d
    WHERE d.conversation_id = m.conversation_id AND d.user_id = m.user_id AND d.seq = ?) END`;

/** Returns the members who see message number `seq`, among `userIds` or, when that is undefined, among all members. */
export async function viewersOf(
  em: EntityManager,
  conversationId: number,
  seq: number,
  userIds?: number[],
): Promise<number[]> {
  const rows = await em.query<{ user_id: number }[]>(
    `SELECT m.user_id FROM conversation_members m ${forcePrimaryKey(em)}
     WHERE m.conversation_id = ? AND m.join_seq <= ? AND m.cleared_seq < ? AND ${HAS_DELETED} = 0
       ${userIds === undefined ? '' : `AND m.user_id IN (${placeholders(userIds)})`}`,
    [conversationId, seq, seq, seq, seq, ...(userIds ?? [])],
  );
  return rows.map(({ user_id }) => user_id);
}
