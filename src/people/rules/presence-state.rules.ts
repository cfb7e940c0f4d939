/* Computes a user's presence from the rows of the instances. Pure; times are in ms since 1970. */

/** A user who reconnects within this time was not offline. */
export const GRACE_MS = 10_000;
/** An instance that has not renewed its row for this time counts as dead. */
export const EXPIRY_MS = 20_000;

/** A user's event streams on one instance. */
export interface Span {
  /** When the last stream closed; null while one is open. */
  until: number | null;
  /** When the instance last renewed its row; null if it has no row. */
  renewedAt: number | null;
}

/** A user's presence. */
export interface Presence {
  online: boolean;
  /** When the last stream closed; null while online, and if there never was one. */
  lastSeenAt: number | null;
  /** When the online state ends unless the user reconnects; undefined if it has no fixed end. */
  endsAt?: number;
}

export const OFFLINE: Presence = { online: false, lastSeenAt: null };

/**
 * Returns the presence of a user with these streams.
 * @param lastSeenAt the stored time when a stream last closed; null if none has
 */
export function presenceOf(spans: readonly Span[], lastSeenAt: number | null, now: number): Presence {
  const open = spans.filter(({ until }) => until === null).flatMap(({ renewedAt }) => renewedAt ?? []);
  if (open.some((renewedAt) => renewedAt > now - EXPIRY_MS)) return { online: true, lastSeenAt: null };
  const closed = spans.flatMap(({ until }) => until ?? []);
  const endsAt = Math.max(...closed) + GRACE_MS;
  if (endsAt > now) return { online: true, lastSeenAt: null, endsAt };
  // Streams of a dead instance were never closed: their instance was last alive at `renewedAt`.
  const latest = Math.max(lastSeenAt ?? -Infinity, ...closed, ...open);
  return { online: false, lastSeenAt: latest === -Infinity ? null : latest };
}
