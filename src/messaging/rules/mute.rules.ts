import type { ConversationSettingsRequest } from '../dto/conversation-requests.dto';

/* Whether a conversation is muted for a member, and until when (API 7.5). Pure. */

/** A mute as it is stored: permanent without `mute_until`, otherwise it ends at that time. */
export interface Mute {
  muted: boolean;
  mute_until: Date | null;
}

/** The requested change; an undefined field does not change, and a null `mute_until` ends a mute that has an end. */
export type MuteRequest = Pick<ConversationSettingsRequest, 'muted' | 'mute_until'>;

const OFF: Mute = { muted: false, mute_until: null };
const PERMANENT: Mute = { muted: true, mute_until: null };

/** Whether the mute is in effect at `now`. */
export const isMuted = ({ muted, mute_until }: Mute, now: Date): boolean =>
  muted && (mute_until === null || mute_until > now);

/** Whether the request has an end that is not in the future. */
export const endsTooEarly = ({ mute_until }: MuteRequest, now: Date): boolean =>
  Boolean(mute_until && mute_until <= now);

/** Returns the mute after a request. An end takes precedence over `muted`. */
export function muteAfter(before: Mute, { muted, mute_until }: MuteRequest): Mute {
  if (mute_until) return { muted: true, mute_until };
  if (muted !== undefined) return muted ? PERMANENT : OFF;
  return mute_until === null && before.mute_until !== null ? OFF : before;
}
