import type { EntityManager } from 'typeorm';
import { sentFields } from '../../common/input/sent-fields';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { changeCounts, changeOf, shareOf } from './conversation-counts';
import { heldMembers } from './members.queries';
import type { Membership } from './membership';

/** What a conversation is to one member alone; what is undefined stays. */
export interface MemberSettings {
  pinned?: boolean;
  muted?: boolean;
  /** Until the next message. */
  hidden?: boolean;
}

/**
 * Changes a member's settings, and the user's counts with them. The conversation is under its lock: what was its newest
 * message when it was hidden must not be overtaken meanwhile.
 * @returns whether there was anything to change
 */
export async function changeSettings(
  em: EntityManager,
  { conversation_id, user_id, type, max_seq }: Membership,
  { pinned, muted, hidden }: MemberSettings,
): Promise<boolean> {
  const hidden_seq = hidden === undefined ? undefined : hidden ? max_seq : -1;
  const changes = sentFields({ pinned, muted, hidden, hidden_seq });
  if (Object.keys(changes).length === 0) return false;
  const [before] = await heldMembers(em, conversation_id, [user_id]);
  await em.update(ConversationMemberEntity, { conversation_id, user_id }, changes);
  const [after] = await heldMembers(em, conversation_id, [user_id]);
  if (before && after) await changeCounts(em, [changeOf({ user_id, type }, shareOf(before), shareOf(after))]);
  return true;
}
