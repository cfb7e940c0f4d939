import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { Transactions } from '../../database/transactions';
import { type Claim, claim, prolong } from '../store/announcement-leases';
import { closeRecall, copiesOf, nextRecall } from '../store/announcement-recalls';
import { Inboxes } from './inboxes';

/** Within which a recall goes on whose instance is gone, and a claim. */
const INTERVAL_MS = 5_000;
const LEASE_SECONDS = 15;
/** Inboxes of one transaction: their owners want to write in between. */
const AT_ONCE = 100;
const LATER = 'Recalled announcements stay in inboxes until the next look';

/**
 * Takes recalled announcements out of the inboxes that have them, in short transactions. When one is recalled, no inbox can
 * take it in any more, and all that has been taken in is there to be found: so one walk over its notifications is
 * enough, and whoever goes on after a crash walks over what is left.
 */
@Injectable()
export class AnnouncementRecalls implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(AnnouncementRecalls.name);
  #isStopping = false;
  readonly #flight = new SingleFlight(
    () => this.#takeAllOut(),
    (error) => this.#log.warn(`${LATER}: ${String(error)}`),
  );
  readonly #looking = new PeriodicJob(this, {
    name: 'announcement_recalls',
    everyMs: INTERVAL_MS,
    run: () => Promise.resolve(this.#flight.runIfIdle()),
    onFailure: LATER,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly inboxes: Inboxes,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#looking.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    await this.#looking.stop();
    await this.#flight.stop();
  }

  /** There is a recall that nobody works on. */
  wake(): void {
    this.#flight.run();
  }

  async #takeAllOut(): Promise<void> {
    while (!this.#isStopping) {
      const claimed = await this.#claimNext();
      if (claimed === undefined) return;
      await this.#takeOut(claimed);
    }
  }

  async #claimNext(): Promise<Claim | undefined> {
    const now = this.clock.now();
    const id = await nextRecall(this.dataSource.manager, now);
    if (id === undefined) return undefined;
    const wanted: Claim = { work: 'announcement_recalls', id, until: plusSeconds(now, LEASE_SECONDS) };
    const isOurs = await this.transactions.run((em) => claim(em, wanted, now));
    return isOurs ? wanted : undefined;
  }

  async #takeOut(first: Claim): Promise<void> {
    let claimed = first;
    const prolongTo = async (until: Date): Promise<boolean> => {
      const from = claimed;
      claimed = { ...claimed, until };
      return this.transactions.run((em) => prolong(em, from, until));
    };
    try {
      for (let after = 0; ;) {
        const copies = await copiesOf(this.dataSource.manager, claimed.id, after, AT_ONCE);
        const last = copies.at(-1);
        if (last === undefined) break;
        await this.inboxes.takeOut(copies);
        after = last.id;
        // An instance that stops leaves the rest to others. Whoever has it now goes on with what is left.
        const until = plusSeconds(this.clock.now(), this.#isStopping ? 0 : LEASE_SECONDS);
        if (!(await prolongTo(until)) || this.#isStopping) return;
      }
      const done = claimed;
      await this.transactions.run((em) => closeRecall(em, done, this.clock.now()));
    } catch (error) {
      // The next look goes on; where this fails as well, once the claim has ended.
      await prolongTo(this.clock.now()).catch(() => undefined);
      throw error;
    }
  }
}
