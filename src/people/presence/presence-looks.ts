import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { EventsService } from '../../events/events.service';
import { changedSince } from './presence.queries';
import { PresenceWatchers } from './presence-watchers';

const TICK_MS = 1_000;
/** With Redis there, a look so many ticks apart catches what a lost message would have said. */
const TICKS_BETWEEN_LOOKS = 5;
/** What is written takes its time first and commits later, having waited for two locks perhaps, 5 s each; and clocks differ. */
const OVERLAP_MS = 15_000;

/**
 * Lets time pass for the presence streams of this instance, and looks in the database for what other instances have not
 * told it. Where nobody watches, nothing is looked for.
 */
@Injectable()
export class PresenceLooks implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #isOn: boolean;
  #ticks = 0;
  #from?: number;
  /** Who has been found within the overlap, and with which change. */
  #found = new Map<number, number>();
  readonly #ticking = new PeriodicJob(this, {
    name: 'presence_watching',
    everyMs: TICK_MS,
    run: () => this.tick(),
    onFailure: 'Watchers wait for the next second',
  });

  constructor(
    @Inject(CONFIG) { people }: Config,
    private readonly watchers: PresenceWatchers,
    private readonly dataSource: DataSource,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {
    this.#isOn = people.presence;
  }

  onApplicationBootstrap(): void {
    this.#ticking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#ticking.stop();
    await this.watchers.stop();
  }

  async tick(): Promise<void> {
    this.watchers.tick();
    this.#ticks += 1;
    if (!this.#isOn || (this.events.hearsOthers && this.#ticks % TICKS_BETWEEN_LOOKS !== 0)) return;
    await this.#look();
  }

  async #look(): Promise<void> {
    const now = this.clock.now().getTime();
    // Who begins to watch now asks for themselves.
    const from = this.watchers.streams.length === 0 ? undefined : (this.#from ?? now);
    this.#from = from === undefined ? undefined : now;
    if (from === undefined) return;
    const rows = await changedSince(
      this.dataSource.manager,
      new Date(Math.min(from, now) - OVERLAP_MS),
    ).catch((error: unknown) => {
      this.#from = from;
      throw error;
    });
    const fresh = rows.filter(([userId, version]) => this.#found.get(userId) !== version);
    this.#found = new Map(rows);
    this.watchers.changed(
      fresh.map(([userId]) => userId).filter((userId) => this.watchers.isConcerned(userId)),
    );
  }
}
