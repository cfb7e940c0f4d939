import type { EntityManager } from 'typeorm';
import { plusSeconds } from '../../../common/clock';
import { inChunks } from '../../../common/concurrency/chunks';
import type { CalendarDays } from '../../rules/calendar-days.rules';
import { driftOf, type FigureDrift } from '../../rules/drift.rules';
import { callFigures, callMetrics, FigureSums } from '../../rules/metrics.rules';
import { readDailyFigures } from '../../store/daily-figures.store';
import { type CallRow, callsInRange, callsOf, EVER, unroutedEnds } from '../../store/recount.store';
import { PAGE, type Recount } from './recount';

/** Newer calls are not counted beforehand: a call with a lower id may still be uncommitted. */
const SAFETY_LAG_SECONDS = 60;

/**
 * Recounts calls. A call counts once it has ended and the statistics have handled its `call.ended` event, and never
 * changes after that. Such calls are counted beforehand; the few others are read in one snapshot together with the stored
 * metrics.
 */
export class CallRecount implements Recount {
  readonly name = 'calls';
  readonly #sums = new FigureSums();
  #lastId = 0;
  /** Ids of calls that did not count yet when `prepare` read them. */
  readonly #pendingIds: number[] = [];

  constructor(
    private readonly em: EntityManager,
    private readonly days: CalendarDays,
    private readonly now: () => Date,
  ) {}

  async prepare(): Promise<void> {
    for (;;) {
      const before = plusSeconds(this.now(), -SAFETY_LAG_SECONDS);
      const calls = await callsInRange(this.em, { after: this.#lastId, before }, PAGE);
      const last = calls.at(-1);
      if (last === undefined) return;
      // Read after the calls: if the end of an ended call is not among them by then, it has been dispatched.
      const unrouted = await unroutedEnds(this.em);
      this.#pendingIds.push(...this.#count(calls, unrouted, this.#sums));
      this.#lastId = last.id;
    }
  }

  async compare(em: EntityManager): Promise<FigureDrift[]> {
    const sums = new FigureSums(this.#sums.figures);
    const unrouted = await unroutedEnds(em);
    for (const ids of inChunks(this.#pendingIds)) this.#count(await callsOf(em, ids), unrouted, sums);
    for (let after: number | undefined = this.#lastId; after !== undefined;) {
      const calls: CallRow[] = await callsInRange(em, { after, before: EVER }, PAGE);
      this.#count(calls, unrouted, sums);
      after = calls.at(-1)?.id;
    }
    return driftOf(await readDailyFigures(em, callMetrics()), sums.figures);
  }

  /** Adds the calls that count to `sums`. Returns the ids of the others. */
  #count(calls: readonly CallRow[], unrouted: ReadonlySet<number>, sums: FigureSums): number[] {
    const pendingIds: number[] = [];
    for (const call of calls) {
      if (call.ended_at === null || unrouted.has(call.id)) pendingIds.push(call.id);
      else sums.add(callFigures(call, this.days));
    }
    return pendingIds;
  }
}
