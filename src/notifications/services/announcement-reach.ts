import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { Transactions } from '../../database/transactions';
import { type Claim, renew } from '../store/announcement-leases.store';
import { claimStale, countBatch, storeReach } from '../store/announcement-reaches.store';
import type { AnnouncementRow } from '../store/announcement.store';

/** An older count is stale, and is repeated on request. */
const MAX_AGE_SECONDS = 300;
const LEASE_SECONDS = 30;
/** A claim is renewed when less than this is left. */
const RENEW_BELOW_SECONDS = 15;
/** Notifications counted per statement. */
const BATCH_SIZE = 1_000;

/**
 * Counts the reach of announcements outside the requests that return it: one instance at a time, one announcement after
 * the other, each at most every five minutes. A counter that every reader updates would be one row that all readers
 * wait for.
 */
@Injectable()
export class AnnouncementReach implements OnModuleDestroy {
  readonly #log = new Logger(AnnouncementReach.name);
  readonly #requested = new Set<number>();
  #isStopping = false;
  readonly #flight = new SingleFlight(
    () => this.#countAll(),
    (error) =>
      this.#log.warn(
        `Failed to count the reach of announcements; retrying on the next request: ${String(error)}`,
      ),
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    await this.#flight.stop();
  }

  /** Starts counting those of the announcements whose count is stale. Does not wait for the result. */
  requestCounts(announcements: readonly Pick<AnnouncementRow, 'id' | 'counted_at'>[]): void {
    const stale = this.#staleBefore();
    for (const { id, counted_at } of announcements)
      if (counted_at === null || counted_at <= stale) this.#requested.add(id);
    if (this.#requested.size > 0) this.#flight.run();
  }

  /** Counts one announcement now, unless its count is recent or another instance is counting it. */
  async count(id: number): Promise<void> {
    const now = this.clock.now();
    const claimed: Claim = { work: 'announcement_reaches', id, until: plusSeconds(now, LEASE_SECONDS) };
    const times = { now, stale: this.#staleBefore() };
    if (await this.transactions.run((em) => claimStale(em, claimed, times)))
      await this.#countClaimed(claimed);
  }

  #staleBefore(): Date {
    return plusSeconds(this.clock.now(), -MAX_AGE_SECONDS);
  }

  async #countAll(): Promise<void> {
    for (const id of this.#requested) {
      if (this.#isStopping) return;
      this.#requested.delete(id);
      await this.count(id);
    }
  }

  async #countClaimed(first: Claim): Promise<void> {
    let claimed = first;
    const sum = { delivered: 0, read: 0 };
    for (let after: number | undefined = 0; after !== undefined;) {
      const part = await countBatch(this.transactions.read(), claimed.id, after, BATCH_SIZE);
      sum.delivered += part.delivered;
      sum.read += part.read;
      after = part.last;
      if (this.#isStopping) return;
      const now = this.clock.now();
      if (plusSeconds(now, RENEW_BELOW_SECONDS) < claimed.until) continue;
      const until = plusSeconds(now, LEASE_SECONDS);
      const from = claimed;
      if (!(await this.transactions.run((em) => renew(em, from, until)))) return;
      claimed = { ...claimed, until };
    }
    const last = claimed;
    await this.transactions.run((em) => storeReach(em, last, sum, this.clock.now()));
  }
}
