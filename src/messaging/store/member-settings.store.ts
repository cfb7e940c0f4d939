import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { sentFields } from '../../common/input/sent-fields';
import {
  excluded,
  onConflictUpdate,
  placeholders,
  toDateOrNull,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { affectedBy } from '../../database/sql/statements';
import type { ConversationSettingsRequest } from '../dto/conversation-requests.dto';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { type Mute, muteAfter } from '../rules/mute.rules';
import { changeConversationCounts, countDelta } from './conversation-counts.store';
import { type LockedMember, lockMembers } from './members.store';
import type { Membership } from './membership.store';

/**
 * Changes a member's settings and the user's counts. The caller holds the conversation lock: no message may be added
 * between reading `max_seq` and storing it as `hidden_seq`.
 * @returns false when `settings` is empty or the user is no longer a member
 */
export async function changeSettings(
  em: EntityManager,
  { conversation_id, user_id, type, max_seq }: Membership,
  settings: ConversationSettingsRequest,
): Promise<boolean> {
  const { pinned, hidden } = settings;
  if (Object.keys(sentFields(settings)).length === 0) return false;
  const key = { conversation_id, user_id };
  const [before] = await lockMembers(em, conversation_id, [user_id]);
  if (before === undefined) return false;
  const muteBefore = muteOf(before);
  const mute = muteAfter(muteBefore, settings);
  const hidden_seq = hidden === undefined ? undefined : hidden ? max_seq : -1;
  const changes = { ...sentFields({ pinned, hidden, hidden_seq }), ...mute };
  await em.update(ConversationMemberEntity, key, changes);
  await storeMuteEnd(em, key, muteBefore.mute_until, mute.mute_until);
  const [after] = await lockMembers(em, conversation_id, [user_id]);
  if (after) changeConversationCounts(em, [countDelta(type, before, after)]);
  return true;
}

/** Returns the stored mute of a member. */
export const muteOf = ({ muted, mute_until }: Pick<LockedMember, 'muted' | 'mute_until'>): Mute => ({
  muted: Boolean(muted),
  mute_until: toDateOrNull(mute_until),
});

/** Primary key of a member's row. */
interface MemberKey {
  conversation_id: ConversationId;
  user_id: UserId;
}

async function storeMuteEnd(
  em: EntityManager,
  { conversation_id, user_id }: MemberKey,
  before: Date | null,
  after: Date | null,
): Promise<void> {
  if (after !== null)
    await em.query(
      `INSERT INTO mute_ends (user_id, conversation_id, ends_at) VALUES (?, ?, ?)
       ${onConflictUpdate(em, ['user_id', 'conversation_id'], `ends_at = ${excluded(em, 'ends_at')}`)}`,
      [user_id, conversation_id, toSqlTimestamp(em, after)],
    );
  else if (before !== null) await deleteMuteEnds(em, conversation_id, [user_id]);
}

/** Deletes the `mute_ends` rows of members of a conversation. */
export async function deleteMuteEnds(
  em: EntityManager,
  conversationId: number,
  userIds: number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await em.query(
    `DELETE FROM mute_ends WHERE user_id IN (${placeholders(userIds)}) AND conversation_id = ?`,
    [...userIds, conversationId],
  );
}

/** Returns the mutes that have expired, the earliest end first. */
export async function dueMuteEnds(em: EntityManager, now: Date, limit: number): Promise<MemberKey[]> {
  return em.query<MemberKey[]>(
    'SELECT user_id, conversation_id FROM mute_ends WHERE ends_at <= ? ORDER BY ends_at LIMIT ?',
    [toSqlTimestamp(em, now), limit],
  );
}

/**
 * Deletes the `mute_ends` row of an expired mute. The caller holds the conversation lock.
 * @returns false if another transaction has processed it already, or the end of the mute has changed
 */
export async function takeMuteEnd(
  em: EntityManager,
  { conversation_id, user_id }: MemberKey,
  now: Date,
): Promise<boolean> {
  const deleted = await affectedBy(
    em,
    'DELETE FROM mute_ends WHERE user_id = ? AND conversation_id = ? AND ends_at <= ?',
    [user_id, conversation_id, toSqlTimestamp(em, now)],
  );
  return deleted > 0;
}
