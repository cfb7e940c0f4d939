import type { EntityManager } from 'typeorm';
import type { CalendarDays } from '../../rules/calendar-days';
import { driftOf, type FigureDrift } from '../../rules/drift';
import { type Figure, FigureSums, MESSAGES, MESSAGES_REMOVED } from '../../rules/metrics';
import { readFigures } from '../../store/daily-figures';
import { positionOf } from '../../store/walks';
import type { Stretch } from '../../store/walked-rows';
import type { Walk } from '../walks';
import { PAGE, type Recount } from './recount';

/** Recounts the metrics of a rollup source: all rows up to its checkpoint, plus messages removed after being counted. */
export class WalkRecount implements Recount {
  readonly #sums = new FigureSums();
  #position = 0;
  /** Removed messages when `prepare` started. */
  #removed: Figure[] = [];

  constructor(
    private readonly em: EntityManager,
    private readonly days: CalendarDays,
    private readonly walk: Walk,
    /** Names of the metrics that the source adds to. */
    private readonly metrics: readonly string[],
  ) {}

  get name(): string {
    return this.walk.name;
  }

  async prepare(): Promise<void> {
    this.#removed = await this.#removedMessages(this.em);
    for (;;) {
      // The rollup may advance its checkpoint in the meantime.
      const upTo = await positionOf(this.em, this.walk.name);
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
    const upTo = await positionOf(em, this.walk.name);
    await this.#count(em, { after: this.#position, upTo }, sums);
    return driftOf(await readFigures(em, this.metrics), sums.figures);
  }

  async #count(em: EntityManager, { after, upTo }: Stretch, sums: FigureSums): Promise<void> {
    for (let position: number | undefined = after; position !== undefined && position < upTo;) {
      const { made, last } = await this.walk.page(em, { after: position, upTo }, PAGE);
      sums.add(this.walk.figures(made, this.days));
      position = last;
    }
  }

  /** Only messages are ever removed. */
  async #removedMessages(em: EntityManager): Promise<Figure[]> {
    return this.metrics.includes(MESSAGES) ? readFigures(em, [MESSAGES_REMOVED]) : [];
  }
}
