import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../../common/errors/business-error';
import type { MessageId, UserId } from '../../../common/ids';
import { placeholders } from '../../../database/dialect';
import { MessageIdEntity } from '../../entities/message-id.entity';
import { firstVisible } from '../../rules/history-range';
import { findMembership, type Membership } from '../membership';
import { type Message, messagesIn } from '../message.queries';
import { deletedIn } from './deletion-rows';

/* Who sees which message: members, what has come since they joined, and what they have not cleared or deleted. */

/** A message, and a member's place in its conversation. */
export interface MemberMessage {
  membership: Membership;
  message: Message;
  /** For oneself. */
  is_deleted: boolean;
}

/** Where a message is. @throws {BusinessError} MESSAGE_NOT_FOUND */
export async function requirePlace(em: EntityManager, id: MessageId): Promise<MessageIdEntity> {
  const place = await em.findOneBy(MessageIdEntity, { id });
  if (place === null) throw new BusinessError('MESSAGE_NOT_FOUND');
  return place;
}

/**
 * A message in the history that a member sees; one that the member has deleted has its place there still.
 * @throws {BusinessError} MESSAGE_NOT_FOUND: no member, or not there for the member
 */
export async function requireInHistory(
  em: EntityManager,
  userId: UserId,
  { conversation_id, seq }: MessageIdEntity,
): Promise<MemberMessage> {
  const membership = await findMembership(em, userId, conversation_id);
  const range = { from: seq, to: seq };
  const [message] = membership === undefined ? [] : await messagesIn(em, conversation_id, range);
  if (membership === undefined || message === undefined || seq < firstVisible(membership))
    throw new BusinessError('MESSAGE_NOT_FOUND');
  return { membership, message, is_deleted: (await deletedIn(em, membership, range)).has(seq) };
}

/** A message that a user sees. @throws {BusinessError} MESSAGE_NOT_FOUND: it is not the user's to see, or deleted */
export async function requireVisible(
  em: EntityManager,
  userId: UserId,
  place: MessageIdEntity,
): Promise<MemberMessage> {
  const found = await requireInHistory(em, userId, place);
  if (found.is_deleted) throw new BusinessError('MESSAGE_NOT_FOUND');
  return found;
}

/** Whether member `m` has deleted message `?`, as an expression: asked of those only who have deleted that far. */
export const HAS_DELETED = `CASE WHEN m.last_deleted_seq < ? THEN 0 ELSE EXISTS (SELECT 1 FROM message_deletions d
    WHERE d.conversation_id = m.conversation_id AND d.user_id = m.user_id AND d.seq = ?) END`;

/** The members who see message number `seq`, or those among some users. */
export async function viewersOf(
  em: EntityManager,
  conversationId: number,
  seq: number,
  userIds?: number[],
): Promise<number[]> {
  const rows = await em.query<{ user_id: number }[]>(
    `SELECT m.user_id FROM conversation_members m
     WHERE m.conversation_id = ? AND m.join_seq <= ? AND m.cleared_seq < ? AND ${HAS_DELETED} = 0
       ${userIds === undefined ? '' : `AND m.user_id IN (${placeholders(userIds)})`}`,
    [conversationId, seq, seq, seq, seq, ...(userIds ?? [])],
  );
  return rows.map(({ user_id }) => user_id);
}
