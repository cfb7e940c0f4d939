import type { EntityManager } from 'typeorm';
import type { CalendarDays } from '../../rules/calendar-days';
import { driftOf, type FigureDrift } from '../../rules/drift';
import { type Figure, FigureSums, MESSAGES, MESSAGES_REMOVED } from '../../rules/metrics';
import { readFigures } from '../../store/daily-figures';
import { positionOf } from '../../store/walks';
import type { Stretch } from '../../store/walked-rows';
import type { Walk } from '../walks';
import { PAGE, type Recount } from './recount';

/** Counts anew what a walk has counted: all up to its position, and what has been removed since it passed. */
export class WalkRecount implements Recount {
  readonly #sums = new FigureSums();
  #position = 0;
  /** What had been removed when it began. */
  #removed: Figure[] = [];

  constructor(
    private readonly em: EntityManager,
    private readonly days: CalendarDays,
    private readonly walk: Walk,
    /** The names of what it adds to. */
    private readonly metrics: readonly string[],
  ) {}

  get name(): string {
    return this.walk.name;
  }

  async prepare(): Promise<void> {
    this.#removed = await this.#removedIn(this.em);
    for (;;) {
      // The walk goes on meanwhile.
      const upTo = await positionOf(this.em, this.walk.name);
      if (upTo === this.#position) return;
      await this.#count(this.em, { after: this.#position, upTo }, this.#sums);
      this.#position = upTo;
    }
  }

  async compare(em: EntityManager): Promise<FigureDrift[] | undefined> {
    const removed = await this.#removedIn(em);
    // Whether what is gone had been counted before nobody knows.
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

  /** Messages alone are ever removed. */
  async #removedIn(em: EntityManager): Promise<Figure[]> {
    return this.metrics.includes(MESSAGES) ? readFigures(em, [MESSAGES_REMOVED]) : [];
  }
}
