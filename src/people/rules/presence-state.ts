/*
 * Whether somebody is there, by what the instances have written. Pure; moments are in milliseconds since 1970.
 */

/** Who comes back so soon has not been away. */
export const GRACE_MS = 10_000;
/** An instance that has not renewed its row for so long is gone. */
export const EXPIRY_MS = 20_000;

/** A user's event streams on one instance. */
export interface Span {
  /** When the last of them closed; null while one is open. */
  until: number | null;
  /** When their instance was alive for certain; null when nobody knows of it. */
  renewedAt: number | null;
}

/** What is to be told of somebody. */
export interface Presence {
  online: boolean;
  /** When the last stream closed; null while there, and when there never was one. */
  lastSeenAt: number | null;
  /** When that ends by itself, unless somebody comes back. */
  endsAt?: number;
}

export const OFFLINE: Presence = { online: false, lastSeenAt: null };

/**
 * How somebody with these streams is shown.
 * @param lastSeenAt what was kept when streams closed before; null when none has
 */
export function presenceOf(spans: readonly Span[], lastSeenAt: number | null, now: number): Presence {
  const open = spans.filter(({ until }) => until === null).flatMap(({ renewedAt }) => renewedAt ?? []);
  if (open.some((renewedAt) => renewedAt > now - EXPIRY_MS)) return { online: true, lastSeenAt: null };
  const closed = spans.flatMap(({ until }) => until ?? []);
  const endsAt = Math.max(...closed) + GRACE_MS;
  if (endsAt > now) return { online: true, lastSeenAt: null, endsAt };
  // Of streams that nobody has closed, the instance was alive then.
  const latest = Math.max(lastSeenAt ?? -Infinity, ...closed, ...open);
  return { online: false, lastSeenAt: latest === -Infinity ? null : latest };
}
