import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Transactions } from '../../database/transactions';
import { CalendarDays } from '../rules/calendar-days.rules';
import { type FigureDrift, toCorrections } from '../rules/drift.rules';
import { MESSAGES, NEW_USERS, USERS } from '../rules/metrics.rules';
import { addFigures } from '../store/daily-figures.store';
import { ensureCheckpoint, advanceCheckpoint, readCheckpoint } from '../store/checkpoints.store';
import { ActivityRecount } from './recounts/activity-recount';
import { CallRecount } from './recounts/call-recount';
import type { Recount } from './recounts/recount';
import { RollupRecount } from './recounts/rollup-recount';
import { MESSAGE_ROLLUP, USER_ROLLUP } from './rollup-sources';

/** Attempts per recount. One fails when messages are removed meanwhile, or another recount corrects the metrics first. */
const MAX_ATTEMPTS = 5;

/**
 * Recounts all daily metrics from their source rows and corrects those that differ (`npm run repair:stats`). Safe while
 * the service is running: rows that cannot change any more are counted in short reads beforehand, the others are read
 * in one snapshot together with the stored metrics, and the difference is added instead of overwriting the value. Of
 * two concurrent recounts only one writes its corrections.
 */
@Injectable()
export class RecountService {
  constructor(
    private readonly days: CalendarDays,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Yields all drift, each after its correction. @throws {Error} when every attempt of a recount fails */
  async *repair(): AsyncGenerator<FigureDrift> {
    const manager = this.transactions.read();
    const recounts = [
      () => new CallRecount(manager, this.days, () => this.clock.now()),
      () => new RollupRecount(manager, this.days, MESSAGE_ROLLUP, [MESSAGES]),
      () => new RollupRecount(manager, this.days, USER_ROLLUP, [NEW_USERS, USERS]),
      () => new ActivityRecount(),
    ];
    for (const createRecount of recounts) yield* await this.#repair(createRecount);
  }

  async #repair(createRecount: () => Recount): Promise<FigureDrift[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const recount = createRecount();
      await recount.prepare?.();
      const corrected = await this.#tryRepair(recount);
      if (corrected !== undefined) return corrected;
    }
    throw new Error(
      `Recount failed after ${MAX_ATTEMPTS} attempts: another recount or a removal of messages interfered; try again later`,
    );
  }

  /**
   * Compares in one snapshot, then adds the corrections. Returns undefined when the comparison is invalid, or when
   * another recount has written its corrections since the snapshot.
   */
  async #tryRepair(recount: Recount): Promise<FigureDrift[] | undefined> {
    const checkpoint = `recount.${recount.name}`;
    await this.transactions.run((em) => ensureCheckpoint(em, checkpoint));
    const { drift, repairs } = await this.transactions.run(
      async (em) => ({ repairs: await readCheckpoint(em, checkpoint), drift: await recount.compare(em) }),
      { fromSnapshot: true },
    );
    if (drift === undefined || drift.length === 0) return drift;
    const isFirst = await this.transactions.run(async (em) => {
      if (!(await advanceCheckpoint(em, checkpoint, { from: repairs, to: repairs + 1 }))) return false;
      await addFigures(em, toCorrections(drift));
      return true;
    });
    return isFirst ? drift : undefined;
  }
}
