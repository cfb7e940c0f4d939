import { waitAfter } from './retry-schedule';

/** What has come of one attempt. */
export interface Attempt {
  /** Whether a success (2xx) was answered. */
  ok: boolean;
  /** Null where nobody answered. */
  statusCode: number | null;
  /** Why nobody answered, in a word. */
  error: string | null;
  /** How long it took. */
  ms: number;
  /** The beginning of what a failure said. */
  response: string | null;
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number;
}

/** What an attempt leaves of its delivery. */
export interface AfterAttempt {
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  status_code: number | null;
  error: string | null;
  ms: number;
  response: string | null;
  due_at: Date | null;
  finished_at: Date | null;
}

/**
 * How a delivery stands after an attempt.
 * @param attempts with this one
 * @param chance from 0 up to 1
 */
export function afterAttempt(
  { ok, statusCode, error, ms, response, retryAfterMs }: Attempt,
  { attempts, now, chance }: { attempts: number; now: Date; chance: number },
): AfterAttempt {
  const wait = ok ? undefined : waitAfter(attempts, chance, retryAfterMs);
  return {
    status: ok ? 'succeeded' : wait === undefined ? 'failed' : 'pending',
    attempts,
    status_code: statusCode,
    error,
    ms,
    response,
    due_at: wait === undefined ? null : new Date(now.getTime() + wait),
    finished_at: wait === undefined ? now : null,
  };
}
