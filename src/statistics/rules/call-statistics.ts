import { CALL_FIGURES, type CallFigure, LENGTHS, type Length } from './call-figures';
import type { Figure } from './metrics';

/* What is told of the calls of a day, or of several, made of what is counted. */

/** Counted figures by their names. */
export type CallSums = Record<CallFigure, number>;

const nothing = (): CallSums =>
  Object.fromEntries(CALL_FIGURES.map((name) => [name, 0])) as Record<CallFigure, number>;

/** The figures of each day, of whatever media, and of all days; days without any are missing. */
export function sumsOf(figures: readonly Figure[]): { byDay: Map<string, CallSums>; total: CallSums } {
  const byDay = new Map<string, CallSums>();
  const total = nothing();
  for (const { metric, day, value } of figures) {
    const name = metric.slice(metric.lastIndexOf('.') + 1) as CallFigure;
    const sums = byDay.get(day) ?? nothing();
    byDay.set(day, sums);
    sums[name] += value;
    total[name] += value;
  }
  return { byDay, total };
}

/** Figures of calls as they are told. */
export interface CallStatistics {
  created: number;
  answered: number;
  rejected: number;
  cancelled: number;
  no_answer: number;
  busy: number;
  missed: number;
  answer_rate: number | null;
  ring_seconds: number;
  talk_seconds: number;
  lengths: Record<Length, number>;
}

/** Each call has one outcome; the callee has missed what was neither answered nor declined. */
export function statisticsOf(sums: CallSums = nothing()): CallStatistics {
  const { answered, rejected, cancelled, no_answer, busy, ring_seconds, talk_seconds } = sums;
  const missed = cancelled + no_answer + busy;
  const created = answered + rejected + missed;
  return {
    created,
    answered,
    rejected,
    cancelled,
    no_answer,
    busy,
    missed,
    answer_rate: created === 0 ? null : Math.round((answered / created) * 10_000) / 10_000,
    ring_seconds,
    talk_seconds,
    lengths: Object.fromEntries(LENGTHS.map((name) => [name, sums[name]])) as Record<Length, number>,
  };
}
