import { CallboardError, type ErrorCode } from '../errors.js';

interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/** What was answered, without its envelope. */
export interface Answer<T> {
  data: T;
  /** The number of the user's last event at which `data` is true (docs/events.md); undefined where there is none. */
  cursor: number | undefined;
  /** How many of a page of conversations, the first ones, are pinned. */
  pinnedCount: number | undefined;
}

/**
 * Takes an answer out of its envelope. The envelope decides, not the status: with `HTTP_STATUS_MODE=always_200` errors come
 * with 200, too.
 * @throws {CallboardError} what the service refused; `not_callboard` for what is no envelope
 */
export function openEnvelope<T>({ status, headers }: Response, text: string): Answer<T> {
  const envelope = parsed(text);
  const details = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: secondsOf(headers.get('Retry-After')),
  };
  if (envelope === undefined) throw new CallboardError('not_callboard', undefined, details);
  if (envelope.code !== 0) throw new CallboardError(envelope.code as ErrorCode, envelope.message, details);
  return {
    data: envelope.data as T,
    cursor: numberOf(headers.get('X-Event-Cursor')),
    pinnedCount: numberOf(headers.get('X-Pinned-Count')),
  };
}

function parsed(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null;
    const isEnvelope =
      typeof value?.code === 'number' && typeof value.message === 'string' && 'data' in value;
    return isEnvelope ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

const numberOf = (header: string | null): number | undefined =>
  header === null || header === '' ? undefined : Number(header);

/** Seconds alone: a date would have to be compared with a clock that may be wrong. */
function secondsOf(header: string | null): number | undefined {
  const seconds = numberOf(header);
  return seconds !== undefined && seconds >= 0 ? seconds : undefined;
}
