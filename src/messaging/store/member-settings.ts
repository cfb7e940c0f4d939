import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { sentFields } from '../../common/input/sent-fields';
import { given, orUpdate, placeholders, toDate, toMoment } from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { type Mute, muteAfter } from '../rules/mute';
import { changeCounts, changeOf, shareOf } from './conversation-counts';
import { type HeldMember, heldMembers } from './members.queries';
import type { Membership } from './membership';

/** What a conversation is to one member alone; what is undefined stays. */
export interface MemberSettings {
  pinned?: boolean;
  muted?: boolean;
  /** Until the next message. */
  hidden?: boolean;
  /** Muted until then; null ends that. */
  mute_until?: Date | null;
}

/**
 * Changes a member's settings, and the user's counts with them. The conversation is under its lock: what was its newest
 * message when it was hidden must not be overtaken meanwhile.
 * @returns whether there was anything to change
 */
export async function changeSettings(
  em: EntityManager,
  { conversation_id, user_id, type, max_seq }: Membership,
  settings: MemberSettings,
): Promise<boolean> {
  const { pinned, hidden } = settings;
  if (Object.keys(sentFields(settings)).length === 0) return false;
  const place = { conversation_id, user_id };
  const [before] = await heldMembers(em, conversation_id, [user_id]);
  if (before === undefined) return false;
  const known = muteOf(before);
  const mute = muteAfter(known, settings);
  const hidden_seq = hidden === undefined ? undefined : hidden ? max_seq : -1;
  const changes = { ...sentFields({ pinned, hidden, hidden_seq }), ...mute };
  await em.update(ConversationMemberEntity, place, changes);
  await noteMuteEnd(em, place, known.mute_until, mute.mute_until);
  const [after] = await heldMembers(em, conversation_id, [user_id]);
  if (after) changeCounts(em, [changeOf({ user_id, type }, shareOf(before), shareOf(after))]);
  return true;
}

const muteOf = ({ muted, mute_until }: HeldMember): Mute => ({
  muted: Boolean(muted),
  mute_until: mute_until === null ? null : toDate(mute_until),
});

/** A member's place, by its key. */
interface Place {
  conversation_id: ConversationId;
  user_id: UserId;
}

async function noteMuteEnd(
  em: EntityManager,
  { conversation_id, user_id }: Place,
  before: Date | null,
  after: Date | null,
): Promise<void> {
  if (after !== null)
    await em.query(
      `INSERT INTO mute_ends (user_id, conversation_id, ends_at) VALUES (?, ?, ?)
       ${orUpdate(em, ['user_id', 'conversation_id'], `ends_at = ${given(em, 'ends_at')}`)}`,
      [user_id, conversation_id, toMoment(em, after)],
    );
  else if (before !== null) await forgetMuteEnds(em, conversation_id, [user_id]);
}

/** Takes the ends of some members' mutings off the agenda. */
export async function forgetMuteEnds(
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

/** Mutings that are over, those first that have been for longest. */
export async function dueMuteEnds(em: EntityManager, now: Date, limit: number): Promise<Place[]> {
  return em.query<Place[]>(
    'SELECT user_id, conversation_id FROM mute_ends WHERE ends_at <= ? ORDER BY ends_at LIMIT ?',
    [toMoment(em, now), limit],
  );
}

/**
 * Takes a muting that is over off the agenda. The conversation is under its lock.
 * @returns false when somebody has been faster, or it has another end by now
 */
export async function takeMuteEnd(
  em: EntityManager,
  { conversation_id, user_id }: Place,
  now: Date,
): Promise<boolean> {
  const taken = await affectedBy(
    em,
    'DELETE FROM mute_ends WHERE user_id = ? AND conversation_id = ? AND ends_at <= ?',
    [user_id, conversation_id, toMoment(em, now)],
  );
  return taken > 0;
}
