import type { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { waitAfter } from './retry-schedule.rules';

/** Result of one attempt. */
export interface Attempt {
  /** Whether the response was a success (2xx). */
  ok: boolean;
  /** HTTP status of the response; null if there was none. */
  statusCode: number | null;
  /** Error code if there was no response, such as `timeout`; else null. */
  error: string | null;
  /** Duration in milliseconds. */
  ms: number;
  /** First characters of the body of a failed response; else null. */
  response: string | null;
  /** Wait that the receiver asked for with `Retry-After`, in milliseconds; 0 if it did not. */
  retryAfterMs: number;
}

/** Columns of a delivery after an attempt. */
export type AfterAttempt = Pick<
  WebhookDeliveryEntity,
  'status' | 'attempts' | 'status_code' | 'error' | 'ms' | 'response' | 'due_at' | 'finished_at'
>;

/**
 * Returns the state of a delivery after an attempt.
 * @param attempts number of attempts, including this one
 * @param chance random number in [0, 1) for the jitter of the next wait
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
