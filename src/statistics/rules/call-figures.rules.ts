/*
 * Contribution of a finished call to the daily metrics (API 15.3). Pure.
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

const SECONDS = ['ring_seconds', 'talk_seconds'] as const;

/** Counted metrics of calls. All other call statistics are derived from them. */
export const CALL_FIGURES = [...OUTCOMES, ...SECONDS, ...LENGTHS] as const;
export type CallFigure = (typeof CALL_FIGURES)[number];

/** A call that has ended, as in its domain event or in its row; times are dates or ISO 8601 texts. */
export interface CountedCall {
  media_type: string;
  status: string;
  end_reason: string | null;
  ended_by: number | null;
  created_at: Date | string;
  ring_expires_at: Date | string;
  accepted_at: Date | string | null;
  ended_at: Date | string | null;
}

/**
 * Returns the outcome of a call. A ringing call that was ended neither by a user nor by its time-out was ended by an
 * administrator, and counts as cancelled.
 */
export function outcomeOf(call: CountedCall): CallOutcomeName {
  const { status, end_reason, ended_by, created_at, ring_expires_at, accepted_at } = call;
  if (accepted_at !== null) return 'answered';
  if (status === 'rejected') return 'rejected';
  // An administrator may give any reason, so the reason alone proves neither `busy` nor `no_answer`.
  if (ended_by !== null) return 'cancelled';
  if (end_reason === 'busy' && millisecondsBetween(created_at, ring_expires_at) === 0) return 'busy';
  const hasRungOut = millisecondsBetween(ring_expires_at, endOf(call)) >= 0;
  return end_reason === 'no_answer' && hasRungOut ? 'no_answer' : 'cancelled';
}

/** Returns the metrics that a call adds to; all values are whole numbers. */
export function figuresOf(call: CountedCall): [CallFigure, number][] {
  const outcome = outcomeOf(call);
  if (call.accepted_at === null) return [[outcome, 1]];
  const talked = wholeSeconds(call.accepted_at, endOf(call));
  return [
    [outcome, 1],
    ['ring_seconds', wholeSeconds(call.created_at, call.accepted_at)],
    ['talk_seconds', talked],
    [UPPER_BOUNDS.find(([, bound]) => talked <= bound)?.[0] ?? 'more', 1],
  ];
}

/** Rounds down, as for the `duration` of a call. Returns 0 where the clocks of two instances make it negative. */
const wholeSeconds = (from: Date | string, to: Date | string): number =>
  Math.max(0, Math.floor(millisecondsBetween(from, to) / 1_000));

const millisecondsBetween = (from: Date | string, to: Date | string): number =>
  new Date(to).getTime() - new Date(from).getTime();

const endOf = ({ ended_at, created_at }: CountedCall): Date | string => ended_at ?? created_at;
