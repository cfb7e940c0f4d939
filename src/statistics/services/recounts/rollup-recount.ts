import type { EntityManager } from 'typeorm';
import type { CalendarDays } from '../../rules/calendar-days.rules';
import { driftOf, type FigureDrift } from '../../rules/drift.rules';
import { type Figure, FigureSums, MESSAGES, MESSAGES_REMOVED } from '../../rules/metrics.rules';
import { readDailyFigures } from '../../store/daily-figures.store';
import { readCheckpoint } from '../../store/checkpoints.store';
import type { IdRange } from '../../store/rollup.store';
import type { RollupSource } from '../rollup-sources';
import { PAGE, type Recount } from './recount';

/** Recounts the metrics of a rollup source: all rows up to its checkpoint, plus messages removed after being counted. */
export class RollupRecount implements Recount {
  readonly #sums = new FigureSums();
  #position = 0;
  /** Removed messages when `prepare` started. */
  #removed: Figure[] = [];

  constructor(
    private readonly em: EntityManager,
    private readonly days: CalendarDays,
    private readonly source: RollupSource,
    /** Names of the metrics that the source adds to. */
    private readonly metrics: readonly string[],
  ) {}

  get name(): string {
    return this.source.name;
  }

  async prepare(): Promise<void> {
    this.#removed = await this.#removedMessages(this.em);
    for (;;) {
      // The rollup may advance its checkpoint in the meantime.
      const upTo = await readCheckpoint(this.em, this.source.name);
      if (upTo === this.#position) return;
      await this.#count(this.em, { after: this.#position, upTo }, this.#sums);
      this.#position = upTo;
    }
  }

  async compare(em: EntityManager): Promise<FigureDrift[] | undefined> {
    const removed = await this.#removedMessages(em);
    // It is unknown whether the messages removed in the meantime had been counted by `prepare`.
    if (driftOf(this.#removed, removed).length > 0) return undefined;
    const sums = new FigureSums(this.#sums.figures);
    sums.add(removed.map((figure) => ({ ...figure, metric: MESSAGES })));
    const upTo = await readCheckpoint(em, this.source.name);
    await this.#count(em, { after: this.#position, upTo }, sums);
    return driftOf(await readDailyFigures(em, this.metrics), sums.figures);
  }

  async #count(em: EntityManager, { after, upTo }: IdRange, sums: FigureSums): Promise<void> {
    for (let position: number | undefined = after; position !== undefined && position < upTo;) {
      const { made, last } = await this.source.page(em, { after: position, upTo }, PAGE);
      sums.add(this.source.figures(made, this.days));
      position = last;
    }
  }

  /** Only messages are ever removed. */
  async #removedMessages(em: EntityManager): Promise<Figure[]> {
    return this.metrics.includes(MESSAGES) ? readDailyFigures(em, [MESSAGES_REMOVED]) : [];
  }
}
