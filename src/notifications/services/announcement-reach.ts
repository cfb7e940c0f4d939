import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { Transactions } from '../../database/transactions';
import { type Claim, prolong } from '../store/announcement-leases';
import { claimStale, countSome, keepReach } from '../store/announcement-reaches';
import type { AnnouncementRow } from '../store/announcement-rows';

/** A count is good for so long. */
const GOOD_FOR_SECONDS = 300;
const LEASE_SECONDS = 30;
/** A claim is prolonged when less than this is left of it. */
const PROLONGED_AT_SECONDS = 15;
/** Notifications of one statement. */
const AT_ONCE = 1_000;

/**
 * Counts how far announcements have come, off the requests that ask for it: one instance at a time, one announcement after
 * the other, and none more often than every five minutes. A number that each reader moved would be one row that all of
 * them wait for.
 */
@Injectable()
export class AnnouncementReach implements OnModuleDestroy {
  readonly #log = new Logger(AnnouncementReach.name);
  readonly #wanted = new Set<number>();
  #isStopping = false;
  readonly #flight = new SingleFlight(
    () => this.#countAll(),
    (error) =>
      this.#log.warn(`The reach of announcements is counted when it is next asked for: ${String(error)}`),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    await this.#flight.stop();
  }

  /** Somebody looks at these: whose count is old is counted again. */
  askFor(announcements: readonly Pick<AnnouncementRow, 'id' | 'counted_at'>[]): void {
    const stale = this.#stale();
    for (const { id, counted_at } of announcements)
      if (counted_at === null || counted_at <= stale) this.#wanted.add(id);
    if (this.#wanted.size > 0) this.#flight.run();
  }

  /** Counts one now, unless it was counted lately or somebody else does. */
  async count(id: number): Promise<void> {
    const now = this.clock.now();
    const claimed: Claim = { work: 'announcement_reaches', id, until: plusSeconds(now, LEASE_SECONDS) };
    const wanted = { now, stale: this.#stale() };
    if (await this.transactions.run((em) => claimStale(em, claimed, wanted))) await this.#countAs(claimed);
  }

  #stale(): Date {
    return plusSeconds(this.clock.now(), -GOOD_FOR_SECONDS);
  }

  async #countAll(): Promise<void> {
    for (const id of this.#wanted) {
      if (this.#isStopping) return;
      this.#wanted.delete(id);
      await this.count(id);
    }
  }

  async #countAs(first: Claim): Promise<void> {
    let claimed = first;
    const sum = { delivered: 0, read: 0 };
    for (let after: number | undefined = 0; after !== undefined;) {
      const part = await countSome(this.dataSource.manager, claimed.id, after, AT_ONCE);
      sum.delivered += part.delivered;
      sum.read += part.read;
      after = part.last;
      if (this.#isStopping) return;
      const now = this.clock.now();
      if (plusSeconds(now, PROLONGED_AT_SECONDS) < claimed.until) continue;
      const until = plusSeconds(now, LEASE_SECONDS);
      const from = claimed;
      if (!(await this.transactions.run((em) => prolong(em, from, until)))) return;
      claimed = { ...claimed, until };
    }
    const last = claimed;
    await this.transactions.run((em) => keepReach(em, last, sum, this.clock.now()));
  }
}
