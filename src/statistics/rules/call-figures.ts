/*
 * What a finished call adds to the figures of its day (contract 14.2). Pure; moments are in milliseconds since 1970.
 */

export const MEDIA = ['audio', 'video'] as const;
export type Media = (typeof MEDIA)[number];

/** What became of a call: one of these. */
export const OUTCOMES = ['answered', 'rejected', 'cancelled', 'no_answer', 'busy'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How long answered calls lasted, upper ends included. */
export const LENGTHS = ['to_10s', 'to_1m', 'to_5m', 'to_30m', 'more'] as const;
export type Length = (typeof LENGTHS)[number];

/** In whole seconds. */
const UPPER_ENDS: readonly [Exclude<Length, 'more'>, number][] = [
  ['to_10s', 10],
  ['to_1m', 60],
  ['to_5m', 300],
  ['to_30m', 1_800],
];

export const SECONDS = ['ring_seconds', 'talk_seconds'] as const;

/** What is counted of calls. The rest of what is told follows from it. */
export const CALL_FIGURES = [...OUTCOMES, ...SECONDS, ...LENGTHS] as const;
export type CallFigure = (typeof CALL_FIGURES)[number];

/** A call that is over. */
export interface FinishedCall {
  status: string;
  endReason: string | null;
  endedBy: number | null;
  createdAt: number;
  ringExpiresAt: number;
  acceptedAt: number | null;
  endedAt: number;
}

/** What became of it. What rang and was ended by neither side, nor by the time, an administrator has ended. */
export function outcomeOf(call: FinishedCall): Outcome {
  const { status, endReason, endedBy, createdAt, ringExpiresAt, acceptedAt, endedAt } = call;
  if (acceptedAt !== null) return 'answered';
  if (status === 'rejected') return 'rejected';
  // Administrators give any reason they like, so it takes more than the reason.
  if (endedBy === null && endReason === 'busy' && ringExpiresAt === createdAt) return 'busy';
  if (endedBy === null && endReason === 'no_answer' && endedAt >= ringExpiresAt) return 'no_answer';
  return 'cancelled';
}

/** All that a call adds, each a whole number. */
export function figuresOf(call: FinishedCall): [CallFigure, number][] {
  const outcome = outcomeOf(call);
  if (call.acceptedAt === null) return [[outcome, 1]];
  const talked = wholeSeconds(call.acceptedAt, call.endedAt);
  return [
    [outcome, 1],
    ['ring_seconds', wholeSeconds(call.createdAt, call.acceptedAt)],
    ['talk_seconds', talked],
    [UPPER_ENDS.find(([, end]) => talked <= end)?.[0] ?? 'more', 1],
  ];
}

/** Rounded down, as a call's `duration` is. */
const wholeSeconds = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / 1_000));
