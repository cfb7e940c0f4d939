import type { LogId } from '../log/log-id';

/** An event for open streams that is written nowhere. */
export interface Live {
  userIds: number[];
  type: string;
  created_at: string;
  /** A JSON object. */
  payload: string;
  /** The instance that publishes it, and has sent it to its own streams already. */
  from?: string;
}

/** A message of a module to itself on all instances. */
export interface Signal {
  name: string;
  /** JSON. */
  body: unknown;
  /** The instance that publishes it. */
  from?: string;
}

/** Logs that were written to, or that may have been for every listener; a live event; a signal between instances. */
export type Announcement = { logs: LogId[] } | { everybody: true } | { live: Live } | { signal: Signal };

/**
 * Reads an announcement from a message of the Redis channel. Returns undefined for any other text: versions differ while instances
 * are replaced, and other programs may publish to the same server.
 */
export function parseAnnouncement(message: string): Announcement | undefined {
  const { everybody, live, signal, logs } = objectIn(message);
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

/** A line break would end the frame that they become part of. */
const isOneLine = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value);

function isLive(value: unknown): value is Live {
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
