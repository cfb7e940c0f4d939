import type { LogId } from '../log/log-id';

/** An ephemeral event: sent to open streams and not stored. */
interface EphemeralEvent {
  userIds: number[];
  type: string;
  created_at: string;
  /** A JSON object. */
  payload: string;
}

/** A message from a module on one instance to the same module on all instances. */
interface Signal {
  name: string;
  /** JSON. */
  body: unknown;
}

/**
 * Notification of a commit or between instances. `logs`: logs that may have new events; `everybody`: any log may have
 * new events; `live`: an ephemeral event; `signal`: a signal between instances.
 */
export type InstanceMessage =
  | { logs: LogId[] }
  | { everybody: true }
  | { live: EphemeralEvent }
  | { signal: Signal };

/**
 * Parses a notification, and the service that sent it, from a message of the Redis channel. The notification is
 * undefined for any other text: versions differ during a rolling update, and other programs may publish to the same
 * server.
 */
export function parseInstanceMessage(text: string): { message?: InstanceMessage; from?: unknown } {
  const { from, ...fields } = objectIn(text);
  return { message: messageIn(fields), from };
}

function messageIn({ everybody, live, signal, logs }: Record<string, unknown>): InstanceMessage | undefined {
  if (everybody === true) return { everybody };
  if (isLive(live)) return { live };
  if (isSignal(signal)) return { signal };
  return areNumbers<LogId>(logs) ? { logs } : undefined;
}

function objectIn(message: string): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(message));
  } catch {
    return {};
  }
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const areNumbers = <N extends number>(value: unknown): value is N[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

/** Whether a value is text that matches a pattern without line breaks. A line break would end its frame. */
const isOneLine = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value);

function isLive(value: unknown): value is EphemeralEvent {
  const { userIds, type, created_at, payload } = toRecord(value);
  return (
    areNumbers(userIds) &&
    isOneLine(type, /^[\w.]+$/) &&
    isOneLine(payload, /^\{.*\}$/) &&
    typeof created_at === 'string' &&
    !Number.isNaN(Date.parse(created_at))
  );
}

const isSignal = (value: unknown): value is Signal => typeof toRecord(value).name === 'string';
