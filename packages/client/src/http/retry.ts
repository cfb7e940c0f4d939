import { type CallboardError, isRateLimited } from '../errors.js';
import type { OperationId } from '../generated/operations.gen.js';

const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 300;
/** A longer `Retry-After` is not waited for: the error goes to the caller. */
const MAX_WAIT_MS = 10_000;

/**
 * POSTs without an `Idempotency-Key` that are idempotent and may be sent again (docs/idempotency.md of the service). Excluded
 * are operations that would take effect twice (log-in, test delivery, rotating a secret), and operations that fail the second
 * time (moving devices out of a group that they have left).
 */
const REPEATABLE: ReadonlySet<string> = new Set([
  'refreshTokens',
  'logOut',
  'acceptCall',
  'rejectCall',
  'cancelCall',
  'hangUpCall',
  'reportCallMedia',
  'renewCallToken',
  'sendCallSignal',
  'endCall',
  'markConversationRead',
  'addMembers',
  'recallMessage',
  'clearConversation',
  'setTyping',
  'moveDeviceGroups',
  'addGroupDevices',
  'upsertUsers',
  'upsertDevices',
  'importDevices',
  'sendHeartbeat',
  'recallAnnouncement',
  'registerPushTarget',
  'confirmPush',
] satisfies OperationId[]);

/**
 * PUTs and DELETEs that are rejected the second time: the user has lost the right to them, the password has changed, or the
 * devices do not exist any more.
 */
const NOT_REPEATABLE: ReadonlySet<string> = new Set([
  'changeOwnPassword',
  'changeConversationOwner',
  'deleteConversation',
  'removeMember',
  'deleteDevices',
] satisfies OperationId[]);

/** Whether sending an operation again has no further effect. */
export const mayRepeat = (id: string, method: string, hasKey: boolean): boolean =>
  method === 'POST' ? hasKey || REPEATABLE.has(id) : !NOT_REPEATABLE.has(id);

/** Whether an error may hide that the request was executed. */
export const mayBeExecuted = (error: CallboardError): boolean => error.isTransient && !isRateLimited(error);

/**
 * Returns the milliseconds to wait before a request is sent again; undefined if it must not be. A request that was rate
 * limited (429) was not executed, so any operation may be sent again after it.
 */
export function waitBeforeRetry(
  error: CallboardError,
  attempt: number,
  repeatable: boolean,
): number | undefined {
  if (!error.isTransient || attempt + 1 >= MAX_ATTEMPTS) return undefined;
  if (!repeatable && !isRateLimited(error)) return undefined;
  const wait = Math.max(jittered(FIRST_WAIT_MS * 2 ** attempt), (error.retryAfter ?? 0) * 1000);
  return wait > MAX_WAIT_MS ? undefined : wait;
}

/** Returns a random time between half of `ms` and `ms`, so that clients do not retry at the same time. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);
