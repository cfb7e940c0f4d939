import type { UserId } from '../../common/ids';

/*
 * Notices: what the service itself says in a conversation of what somebody has done (contract 16.3). Pure.
 */

/** What has become of a call, as far as its notice tells. */
export type CallOutcome = 'answered' | 'no_answer' | 'cancelled' | 'rejected' | 'busy';

/** A finished call, as a notice keeps it. */
export interface CallFacts {
  call_id: number;
  media_type: 'audio' | 'video';
  status: string;
  end_reason: string | null;
  /** Whole seconds; 0 where nobody answered. */
  duration: number;
}

/** A finished call between two users. */
export interface FinishedCall {
  caller_id: UserId;
  callee_id: UserId;
  outcome: CallOutcome;
  facts: CallFacts;
}

/** What a notice tells, for clients that have words of their own. */
export type Notice =
  | { event: 'members_added' | 'member_left' | 'member_removed'; user_ids: number[] }
  | { event: 'renamed'; name: string }
  | { event: 'avatar_changed' }
  | ({ event: 'call' } & CallFacts);

/** A notice as it is stored, which is JSON. */
export const noticeOf = (stored: string | null): Notice | null =>
  stored === null ? null : (JSON.parse(stored) as Notice);

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

const two = (value: number): string => String(value).padStart(2, '0');

/** Seconds as `mm:ss`, from an hour on as `h:mm:ss`. */
export function clockTime(seconds: number): string {
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  const rest = two(seconds % SECONDS_PER_MINUTE);
  if (minutes < MINUTES_PER_HOUR) return `${two(minutes)}:${rest}`;
  return `${Math.floor(minutes / MINUTES_PER_HOUR)}:${two(minutes % MINUTES_PER_HOUR)}:${rest}`;
}
