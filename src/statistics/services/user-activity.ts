import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { ActiveUsers } from '../../common/auth/active-users';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { CalendarDays } from '../rules/calendar-days.rules';
import { noteActive } from '../store/activity.store';

const INTERVAL_MS = 30_000;
/**
 * Users of a new day are written only this long after its start, when every instance has written the previous day. Only
 * the last day of a user is stored, so a day that is written after its successor would not be counted.
 */
const DAY_SETTLES_MS = 60_000;
const BATCH_SIZE = 1_000;
/**
 * Maximum number of users remembered as noted today. The set is then cleared, and repeats are filtered by the database.
 */
const MAX_REMEMBERED_USERS = 100_000;

/**
 * Records active users: those who send a request or have an event stream open. Each user is noted in memory once a day
 * and written twice a minute; the database then shows whether another instance has counted the user first (API 15.3).
 */
@Injectable()
export class UserActivity implements ActiveUsers, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(UserActivity.name);
  /** The day of the last `note` call. */
  #today = '';
  /** Users noted on that day. */
  readonly #noted = new Set<number>();
  /** Users still to be written, by day. */
  readonly #unwritten = new Map<string, Set<number>>();
  /** The day for which the connected users were last noted: an open stream makes them active without any request. */
  #connectedUsersNotedOn = '';
  #subscription?: Subscription;

  constructor(
    private readonly days: CalendarDays,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    // Also when a stream closes: its user was active until now, perhaps into a new day.
    this.#subscription = this.events.connectionChanges.subscribe(({ userId }) => this.note(userId));
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#writeAll().catch((error: unknown) =>
      this.#log.warn(`Failed to write active users at shutdown; some may not be counted: ${String(error)}`),
    );
  }

  note(userId: number): void {
    const day = this.days.of(this.clock.now().getTime());
    if (day !== this.#today || this.#noted.size >= MAX_REMEMBERED_USERS) {
      this.#today = day;
      this.#noted.clear();
    }
    if (this.#noted.has(userId)) return;
    this.#noted.add(userId);
    const unwritten = this.#unwritten.get(day) ?? new Set();
    this.#unwritten.set(day, unwritten.add(userId));
  }

  /** Writes the noted users. Those that fail to be written stay noted for the next run. */
  @Periodic({
    name: 'user_activity',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to write active users, retrying on the next run',
  })
  async write(): Promise<void> {
    const now = this.clock.now().getTime();
    const day = this.days.of(now);
    if (day !== this.#connectedUsersNotedOn) {
      this.#connectedUsersNotedOn = day;
      for (const userId of this.events.connectedUserIds) this.note(userId);
    }
    await this.#writeAll(now - DAY_SETTLES_MS);
  }

  /** @param startedBy only writes days that had started by this time, in milliseconds since 1970 */
  async #writeAll(startedBy = Infinity): Promise<void> {
    for (const day of [...this.#unwritten.keys()].toSorted()) {
      if (this.days.startOf(day) > startedBy) continue;
      const users = this.#unwritten.get(day) ?? new Set();
      for (const ids of inChunks([...users], BATCH_SIZE)) {
        await this.transactions.run((em) => noteActive(em, ids, day), { retryOnDuplicateKey: true });
        for (const id of ids) users.delete(id);
      }
      if (users.size === 0) this.#unwritten.delete(day);
    }
  }
}
