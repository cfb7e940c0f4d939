import { CALL_FIGURES, type CallFigure, LENGTHS, type Length } from './call-figures.rules';
import type { Figure } from './metrics.rules';

/* Call statistics of a day or of several, derived from the counted metrics. */

/** Counted values by metric name. */
type CallSums = Record<CallFigure, number>;

const zeroSums = () => Object.fromEntries(CALL_FIGURES.map((name) => [name, 0])) as CallSums;

/** Sums call metrics over the media types, by day and for all days. `byDay` has no entry for days without metrics. */
export function sumsOf(figures: readonly Figure[]): { byDay: Map<string, CallSums>; total: CallSums } {
  const byDay = new Map<string, CallSums>();
  const total = zeroSums();
  for (const { metric, day, value } of figures) {
    const name = metric.slice(metric.lastIndexOf('.') + 1) as CallFigure;
    const sums = byDay.get(day) ?? zeroSums();
    byDay.set(day, sums);
    sums[name] += value;
    total[name] += value;
  }
  return { byDay, total };
}

/**
 * Derives call statistics. Each call has one outcome; a call is missed if the callee neither answered nor declined it.
 */
export function statisticsOf(sums: CallSums = zeroSums()) {
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
