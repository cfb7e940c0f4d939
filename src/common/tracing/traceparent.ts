import { randomBytes } from 'node:crypto';

/** Header and format of W3C Trace Context: version, trace id, id of the sender's span, flags. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Number of characters of a `traceparent`. */
export const TRACEPARENT_LENGTH = 55;

/**
 * Returns the value of a `traceparent` header in the format of version 00; undefined if it is invalid. Later versions
 * may have further fields, which are dropped.
 */
export function parseTraceparent(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, flags = '0', rest] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** Returns the trace id of a valid `traceparent`, 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** Returns a `traceparent` of the same trace with a new span id, for an outgoing request. */
export const withNewSpan = (traceparent: string): string =>
  `${traceparent.slice(0, 36)}${randomBytes(8).toString('hex')}${traceparent.slice(52)}`;
