import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { CalendarDays } from '../rules/calendar-days';
import { type FigureDrift, mending } from '../rules/drift';
import { MESSAGES, NEW_USERS, USERS } from '../rules/metrics';
import { addFigures } from '../store/daily-figures';
import { readOneMoment } from '../store/recount-rows';
import { beginWalk, moveWalk, positionOf } from '../store/walks';
import { ActivityRecount } from './recounts/activity-recount';
import { CallRecount } from './recounts/call-recount';
import type { Recount } from './recounts/recount';
import { WalkRecount } from './recounts/walk-recount';
import { MESSAGE_WALK, USER_WALK } from './walks';

/** How often somebody may be faster before it gives up. */
const TRIES = 5;

/**
 * Counts everything anew, from what there is, and mends what differs (`npm run repair:stats`). The service may go on: most
 * is counted in short reads beforehand, what changes meanwhile at one moment together with the stored figures, and what
 * differs is added, not written over. Two recounts at once mend once.
 */
@Injectable()
export class RecountService {
  readonly #days: CalendarDays;

  constructor(
    @Inject(CONFIG) { timezone }: Config,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    this.#days = new CalendarDays(timezone);
  }

  /** All drift, each already mended when it is reported. @throws {Error} when others recount, or remove, all the time */
  async *repair(): AsyncGenerator<FigureDrift> {
    const { manager } = this.dataSource;
    const recounts = [
      () => new CallRecount(manager, this.#days, () => this.clock.now()),
      () => new WalkRecount(manager, this.#days, MESSAGE_WALK, [MESSAGES]),
      () => new WalkRecount(manager, this.#days, USER_WALK, [NEW_USERS, USERS]),
      () => new ActivityRecount(),
    ];
    for (const make of recounts) yield* await this.#mend(make);
  }

  async #mend(make: () => Recount): Promise<FigureDrift[]> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const recount = make();
      await recount.prepare();
      const mended = await this.#mendOnce(recount);
      if (mended !== undefined) return mended;
    }
    throw new Error(
      'Figures are being recounted by others, or messages removed, all the time; try again later',
    );
  }

  /** Compares at one moment, then adds what is missing; undefined where that cannot be said, or somebody else did so first. */
  async #mendOnce(recount: Recount): Promise<FigureDrift[] | undefined> {
    const mark = `recount.${recount.name}`;
    await this.transactions.run((em) => beginWalk(em, mark));
    const { drift, times } = await this.transactions.run(async (em) => {
      await readOneMoment(em);
      return { times: await positionOf(em, mark), drift: await recount.compare(em) };
    });
    if (drift === undefined || drift.length === 0) return drift;
    const isFirst = await this.transactions.run(async (em) => {
      if (!(await moveWalk(em, mark, { from: times, to: times + 1 }))) return false;
      await addFigures(em, mending(drift));
      return true;
    });
    return isFirst ? drift : undefined;
  }
}
