/* Whether a conversation is muted for a member, and until when (contract 18.3). Pure. */

/** As it is stored: `muted` alone is for good; with `mute_until` it ends by itself. */
export interface Mute {
  muted: boolean;
  mute_until: Date | null;
}

/** What a member asks for; what is undefined stays. */
export interface MuteRequest {
  muted?: boolean;
  /** null ends a muting that has an end. */
  mute_until?: Date | null;
}

const OFF: Mute = { muted: false, mute_until: null };
const FOR_GOOD: Mute = { muted: true, mute_until: null };

/** Whether it is muted at this moment. */
export const isMuted = ({ muted, mute_until }: Mute, now: Date): boolean =>
  muted && (mute_until === null || mute_until > now);

/** Whether the request asks for an end that is not in the future. */
export const endsTooEarly = ({ mute_until }: MuteRequest, now: Date): boolean =>
  Boolean(mute_until && mute_until <= now);

/** The mute after a request. An end that is given goes before `muted`. */
export function muteAfter(before: Mute, { muted, mute_until }: MuteRequest): Mute {
  if (mute_until) return { muted: true, mute_until };
  if (muted !== undefined) return muted ? FOR_GOOD : OFF;
  return mute_until === null && before.mute_until !== null ? OFF : before;
}
