import type { EntityManager } from 'typeorm';
import { plusSeconds } from '../../../common/clock';
import { inChunks } from '../../../common/concurrency/chunks';
import type { CalendarDays } from '../../rules/calendar-days';
import { driftOf, type FigureDrift } from '../../rules/drift';
import { toFinishedCall } from '../../rules/finished-call';
import { callFigures, callMetrics, FigureSums } from '../../rules/metrics';
import { readFigures } from '../../store/daily-figures';
import { type CallRow, callsAlong, callsOf, EVER, unroutedEnds } from '../../store/recount-rows';
import { PAGE, type Recount } from './recount';

/** Calls that are younger may have neighbours with lower ids that are not committed yet. */
const YOUNG_SECONDS = 60;

/**
 * Counts calls anew. One counts when it is over and its end is no longer in the outbox, and does so for ever: such calls
 * are counted beforehand, and the others, of which there are few, at one moment together with the stored figures.
 */
export class CallRecount implements Recount {
  readonly name = 'calls';
  readonly #sums = new FigureSums();
  #lastId = 0;
  /** Those that were not to be counted yet when they were met. */
  readonly #open: number[] = [];

  constructor(
    private readonly em: EntityManager,
    private readonly days: CalendarDays,
    private readonly now: () => Date,
  ) {}

  async prepare(): Promise<void> {
    for (;;) {
      const before = plusSeconds(this.now(), -YOUNG_SECONDS);
      const calls = await callsAlong(this.em, { after: this.#lastId, before }, PAGE);
      const last = calls.at(-1);
      if (last === undefined) return;
      // After the calls: an end that is not there then has been routed.
      const unrouted = await unroutedEnds(this.em);
      this.#open.push(...this.#count(calls, unrouted, this.#sums));
      this.#lastId = last.id;
    }
  }

  async compare(em: EntityManager): Promise<FigureDrift[]> {
    const sums = new FigureSums(this.#sums.figures);
    const unrouted = await unroutedEnds(em);
    for (const ids of inChunks(this.#open)) this.#count(await callsOf(em, ids), unrouted, sums);
    for (let after: number | undefined = this.#lastId; after !== undefined;) {
      const calls: CallRow[] = await callsAlong(em, { after, before: EVER }, PAGE);
      this.#count(calls, unrouted, sums);
      after = calls.at(-1)?.id;
    }
    return driftOf(await readFigures(em, callMetrics()), sums.figures);
  }

  /** Adds those that are to be counted; answers the ids of the others. */
  #count(calls: readonly CallRow[], unrouted: ReadonlySet<number>, sums: FigureSums): number[] {
    const others: number[] = [];
    for (const call of calls) {
      if (call.ended_at === null || unrouted.has(call.id)) {
        others.push(call.id);
        continue;
      }
      const finished = toFinishedCall(call);
      sums.add(callFigures(finished, this.days.of(finished.createdAt)));
    }
    return others;
  }
}
