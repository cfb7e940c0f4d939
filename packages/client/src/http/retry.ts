import type { CallboardError } from '../errors.js';
import type { OperationId } from '../generated/operations.gen.js';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 300;
/** Whoever is told to wait longer decides for oneself. */
const LONGEST_WAIT_MS = 10_000;

/**
 * POSTs without an `Idempotency-Key` that may nevertheless be sent again, as the service's docs/idempotency.md says: acts
 * that are done once, however often they are asked for. Not among them are those that would happen twice, as a log-in, a test
 * delivery, another secret, or be refused the second time, as devices that have left the group they are moved from.
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
] satisfies OperationId[]);

/** Whether an operation does nothing twice when it is sent again. */
export const mayRepeat = (id: string, method: string, hasKey: boolean): boolean =>
  method !== 'POST' || hasKey || REPEATABLE.has(id);

/**
 * How long to wait before a request is sent again, in milliseconds; undefined: it is not. What the service refused for
 * being asked too much (429) it has not done, so anything may be asked again.
 */
export function waitBeforeRetry(
  error: CallboardError,
  attempt: number,
  repeatable: boolean,
): number | undefined {
  if (!error.isTransient || attempt + 1 >= ATTEMPTS) return undefined;
  if (!repeatable && error.code !== 429) return undefined;
  const wait = Math.max(jittered(FIRST_WAIT_MS * 2 ** attempt), (error.retryAfter ?? 0) * 1000);
  return wait > LONGEST_WAIT_MS ? undefined : wait;
}

/** Between half and all of it: not all clients at once. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);
