/*
 * Contribution of a finished call to the daily metrics (API 15.3). Pure; times are in milliseconds since 1970.
 */

export const MEDIA = ['audio', 'video'] as const;
export type Media = (typeof MEDIA)[number];

/** Outcomes of a call. Every finished call has exactly one. */
export const OUTCOMES = ['answered', 'rejected', 'cancelled', 'no_answer', 'busy'] as const;
export type CallOutcomeName = (typeof OUTCOMES)[number];

/** Duration classes of answered calls, upper bounds included. */
export const LENGTHS = ['to_10s', 'to_1m', 'to_5m', 'to_30m', 'more'] as const;
export type Length = (typeof LENGTHS)[number];

/** Upper bounds of the duration classes, in whole seconds. */
const UPPER_BOUNDS: readonly [Exclude<Length, 'more'>, number][] = [
  ['to_10s', 10],
  ['to_1m', 60],
  ['to_5m', 300],
  ['to_30m', 1_800],
];

export const SECONDS = ['ring_seconds', 'talk_seconds'] as const;

/** Counted metrics of calls. All other call statistics are derived from them. */
export const CALL_FIGURES = [...OUTCOMES, ...SECONDS, ...LENGTHS] as const;
export type CallFigure = (typeof CALL_FIGURES)[number];

/** A call that has ended. Times are in milliseconds since 1970. */
export interface CountedCall {
  status: string;
  endReason: string | null;
  endedBy: number | null;
  createdAt: number;
  ringExpiresAt: number;
  acceptedAt: number | null;
  endedAt: number;
}

/**
 * Returns the outcome of a call. A ringing call that was ended neither by a user nor by its time-out was ended by an
 * administrator, and counts as cancelled.
 */
export function outcomeOf(call: CountedCall): CallOutcomeName {
  const { status, endReason, endedBy, createdAt, ringExpiresAt, acceptedAt, endedAt } = call;
  if (acceptedAt !== null) return 'answered';
  if (status === 'rejected') return 'rejected';
  // An administrator may give any reason, so the reason alone proves neither `busy` nor `no_answer`.
  if (endedBy === null && endReason === 'busy' && ringExpiresAt === createdAt) return 'busy';
  if (endedBy === null && endReason === 'no_answer' && endedAt >= ringExpiresAt) return 'no_answer';
  return 'cancelled';
}

/** Returns the metrics that a call adds to; all values are whole numbers. */
export function figuresOf(call: CountedCall): [CallFigure, number][] {
  const outcome = outcomeOf(call);
  if (call.acceptedAt === null) return [[outcome, 1]];
  const talked = wholeSeconds(call.acceptedAt, call.endedAt);
  return [
    [outcome, 1],
    ['ring_seconds', wholeSeconds(call.createdAt, call.acceptedAt)],
    ['talk_seconds', talked],
    [UPPER_BOUNDS.find(([, bound]) => talked <= bound)?.[0] ?? 'more', 1],
  ];
}

/** Rounds down, as for the `duration` of a call. Returns 0 where the clocks of two instances make it negative. */
const wholeSeconds = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / 1_000));
