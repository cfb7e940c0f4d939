import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { ActiveUsers } from '../../common/auth/active-users';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { CalendarDays } from '../rules/calendar-days';
import { noteActive } from '../store/activity-rows';

const INTERVAL_MS = 30_000;
/** A day is written from then on: what instances have noted of the day before is written by then. */
const DAY_SETTLES_MS = 60_000;
const ROWS_AT_ONCE = 1_000;
/** Beyond so many users it begins anew to know whom it has noted today: they are asked about once more. */
const USERS_REMEMBERED = 100_000;
const LATER = 'Who was active is written later';

/**
 * Who is active: sends a request, or has an event stream open. Noted in memory, each user once a day, and written twice a
 * minute; the database then tells whether another instance was first (contract 14.2).
 */
@Injectable()
export class UserActivity implements ActiveUsers, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(UserActivity.name);
  readonly #days: CalendarDays;
  /** The present day, as of the last note. */
  #today = '';
  /** Whom it has noted today. */
  readonly #noted = new Set<number>();
  /** What is still to be written, by day. */
  readonly #unwritten = new Map<string, Set<number>>();
  /** The day on which those who listen were noted last: they need not do anything to be active. */
  #listenersOf = '';
  #subscription?: Subscription;
  readonly #job = new PeriodicJob(this, {
    name: 'user_activity',
    everyMs: INTERVAL_MS,
    run: () => this.write(),
    onFailure: LATER,
  });

  constructor(
    @Inject(CONFIG) { timezone }: Config,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {
    this.#days = new CalendarDays(timezone);
  }

  onApplicationBootstrap(): void {
    // Who stops listening was active until now, perhaps into a new day.
    this.#subscription = this.events.listening.subscribe(({ userId }) => this.note(userId));
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#job.stop();
    await this.#writeAll().catch((error: unknown) => this.#log.warn(`${LATER}, if at all: ${String(error)}`));
  }

  note(userId: number): void {
    const day = this.#days.of(this.clock.now().getTime());
    if (day !== this.#today || this.#noted.size >= USERS_REMEMBERED) {
      this.#today = day;
      this.#noted.clear();
    }
    if (this.#noted.has(userId)) return;
    this.#noted.add(userId);
    const unwritten = this.#unwritten.get(day) ?? new Set();
    this.#unwritten.set(day, unwritten.add(userId));
  }

  /** Writes what was noted; what fails is tried the next time. */
  async write(): Promise<void> {
    const now = this.clock.now().getTime();
    const day = this.#days.of(now);
    if (day !== this.#listenersOf) {
      this.#listenersOf = day;
      for (const userId of this.events.listeners) this.note(userId);
    }
    await this.#writeAll(now - DAY_SETTLES_MS);
  }

  /** @param begun only the days that had begun by then */
  async #writeAll(begun = Infinity): Promise<void> {
    for (const day of [...this.#unwritten.keys()].toSorted()) {
      if (this.#days.startOf(day) > begun) continue;
      const users = this.#unwritten.get(day) ?? new Set();
      for (const ids of inChunks([...users], ROWS_AT_ONCE)) {
        await this.transactions.run((em) => noteActive(em, ids, day), { retryWhenTaken: true });
        for (const id of ids) users.delete(id);
      }
      if (users.size === 0) this.#unwritten.delete(day);
    }
  }
}
