import { CallboardError, type ErrorCode } from '../errors.js';

interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/** A response without its envelope. */
export interface UnwrappedResponse<T> {
  data: T;
  /** Id of the user's last event that `data` includes (docs/events.md); undefined if the response has none. */
  cursor: number | undefined;
}

/**
 * Unwraps the envelope of a response. `code` decides, not the HTTP status: with `HTTP_STATUS_MODE=always_200` errors have
 * status 200.
 * @throws {CallboardError} the service's error; `not_callboard` if the text is not an envelope
 */
export function unwrapEnvelope<T>(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): UnwrappedResponse<T> {
  const envelope = parseEnvelope(text);
  const details = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: parseRetryAfter(headers.get('Retry-After')),
  };
  if (envelope === undefined) throw new CallboardError('not_callboard', undefined, details);
  if (envelope.code !== 0) throw new CallboardError(envelope.code as ErrorCode, envelope.message, details);
  return { data: envelope.data as T, cursor: toNumber(headers.get('X-Event-Cursor')) };
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null;
    const isEnvelope =
      typeof value?.code === 'number' && typeof value.message === 'string' && 'data' in value;
    return isEnvelope ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

const toNumber = (header: string | null): number | undefined =>
  header === null || header === '' ? undefined : Number(header);

/** Parses `Retry-After` in seconds. Ignores dates: comparing them needs a clock that may be wrong. */
function parseRetryAfter(header: string | null): number | undefined {
  const seconds = toNumber(header);
  return seconds !== undefined && seconds >= 0 ? seconds : undefined;
}
