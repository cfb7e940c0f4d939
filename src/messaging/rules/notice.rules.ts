import type { UserId } from '../../common/ids';

/* Notices: messages that the service writes to a conversation about what users have done (API 8.11). Pure. */

/** Outcome of a call, as far as its notice depends on it. */
export type CallOutcome = 'answered' | 'no_answer' | 'cancelled' | 'rejected' | 'busy';

/** A finished call, as a notice stores it. */
export interface CallFacts {
  call_id: number;
  media_type: 'audio' | 'video';
  status: string;
  end_reason: string | null;
  /** Whole seconds; 0 when the call was not answered. */
  duration: number;
}

/** A finished call between two users. */
export interface CallNotice {
  caller_id: UserId;
  callee_id: UserId;
  outcome: CallOutcome;
  facts: CallFacts;
}

/** Content of a notice, for clients that have their own texts. */
export type Notice =
  | { event: 'members_added' | 'member_left' | 'member_removed'; user_ids: number[] }
  | { event: 'renamed'; name: string }
  | { event: 'avatar_changed' }
  | ({ event: 'call' } & CallFacts);

/** Parses a stored notice, which is JSON. */
export const noticeOf = (stored: string | null): Notice | null =>
  stored === null ? null : (JSON.parse(stored) as Notice);

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats seconds as `mm:ss`, and from one hour on as `h:mm:ss`. */
export function clockTime(seconds: number): string {
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  const secondsPart = twoDigits(seconds % SECONDS_PER_MINUTE);
  if (minutes < MINUTES_PER_HOUR) return `${twoDigits(minutes)}:${secondsPart}`;
  return `${Math.floor(minutes / MINUTES_PER_HOUR)}:${twoDigits(minutes % MINUTES_PER_HOUR)}:${secondsPart}`;
}
