import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { changedSince } from './presence.store';
import { PresenceWatchers } from './presence-watchers';

const TICK_MS = 1_000;
/** Number of ticks between polls while Redis delivers signals. These polls only find changes whose signal was lost. */
const TICKS_BETWEEN_POLLS = 5;
/**
 * Each poll overlaps the previous one by this time. A change gets its time before its commit, which may be delayed by
 * two lock waits of up to 5 s each, and clocks of instances differ.
 */
const OVERLAP_MS = 15_000;

/**
 * Drives the timers of this instance's presence streams, and polls the database for changes of other instances. Without
 * open presence streams it does not poll.
 */
@Injectable()
export class PresencePoller {
  #ticks = 0;
  #polledAt?: number;
  /** Changes found within the overlap: user id → version. */
  #recentVersions = new Map<number, number>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly watchers: PresenceWatchers,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  @Periodic({
    name: 'presence_watching',
    everyMs: TICK_MS,
    onFailure: 'Failed to poll presence changes, retrying on the next poll',
  })
  async tick(): Promise<void> {
    this.watchers.tick();
    this.#ticks += 1;
    if (!this.config.people.presence || (this.events.isSubscribed && this.#ticks % TICKS_BETWEEN_POLLS !== 0))
      return;
    // A new stream loads the current state itself, so nothing older has to be polled for it.
    if (this.watchers.streams.length === 0) this.#polledAt = undefined;
    else await this.#poll();
  }

  async #poll(): Promise<void> {
    const now = this.clock.now().getTime();
    const from = (this.#polledAt ??= now);
    const rows = await changedSince(this.transactions.read(), new Date(Math.min(from, now) - OVERLAP_MS));
    this.#polledAt = now;
    const changes = rows.filter(([userId, version]) => this.#recentVersions.get(userId) !== version);
    this.#recentVersions = new Map(rows);
    this.watchers.changed(changes.map(([userId]) => userId));
  }
}
