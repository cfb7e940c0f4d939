import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { EventsService } from '../../events/events.service';
import { InstanceRows } from './instance-rows';
import { type OwnStreams, ROWS_AT_ONCE } from './instance-streams.queries';
import { PRESENCE_SIGNAL } from './presence-changes';

const TICK_MS = 1_000;
const RENEWAL_MS = 5_000;
const LATER = 'Presence waits for the next second';

/**
 * Writes who has event streams open on this instance: a row per user when the first opens and when the last closes, all
 * of one second together, and a row of the instance's own every five seconds while there is any. Where nobody listens,
 * nothing is written.
 */
@Injectable()
export class PresenceWriter implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(PresenceWriter.name);
  readonly #isOn: boolean;
  readonly #instance = randomUUID();
  /** The users who listen here, and since when. */
  readonly #open = new Map<number, Date>();
  /** What is still to be written, by user. */
  #unwritten = new Map<number, OwnStreams>();
  /** Those of whom it is written that they listen here. */
  readonly #written = new Set<number>();
  #renewedAt = -Infinity;
  #sweptAt = -Infinity;
  #subscription?: Subscription;
  readonly #ticking = new PeriodicJob(this, {
    name: 'presence_writing',
    everyMs: TICK_MS,
    run: () => this.tick(),
    onFailure: LATER,
  });

  constructor(
    @Inject(CONFIG) { people }: Config,
    private readonly rows: InstanceRows,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {
    this.#isOn = people.presence;
  }

  onApplicationBootstrap(): void {
    if (!this.#isOn) return;
    this.#subscription = this.events.listening.subscribe(({ userId, listens }) =>
      this.#note(userId, listens),
    );
    this.#ticking.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#ticking.stop();
    if (this.#written.size === 0) return;
    try {
      this.#tell(await this.rows.leave(this.#instance));
    } catch (error) {
      this.#log.warn(`Who listened here is taken for gone within half a minute: ${String(error)}`);
    }
  }

  /** What a second brings: this instance is alive, what has changed is written, and those who are gone are swept away. */
  async tick(): Promise<void> {
    if (!this.#isOn) return;
    const now = this.clock.now().getTime();
    if (this.#written.size > 0 || this.#unwritten.size > 0) await this.#renew(now);
    await this.#write();
    if (Math.abs(now - this.#sweptAt) < RENEWAL_MS) return;
    this.#sweptAt = now;
    this.#tell(await this.rows.sweep(this.#instance));
  }

  #note(userId: number, listens: boolean): void {
    const now = this.clock.now();
    const since = this.#open.get(userId) ?? now;
    if (listens) this.#open.set(userId, since);
    else this.#open.delete(userId);
    this.#unwritten.set(userId, { userId, since, until: listens ? null : now });
  }

  /** Before the first row that counts on it, too. Who was taken for gone, a machine that slept, begins anew. */
  async #renew(now: number): Promise<void> {
    // While nobody was written of, nothing said that this instance is alive.
    if (this.#written.size > 0 && Math.abs(now - this.#renewedAt) < RENEWAL_MS) return;
    const wasKnown = await this.rows.renew(this.#instance);
    this.#renewedAt = now;
    if (wasKnown) return;
    this.#written.clear();
    for (const [userId, since] of this.#open)
      if (!this.#unwritten.has(userId)) this.#unwritten.set(userId, { userId, since, until: null });
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    this.#unwritten = new Map();
    // Who has come back before it was written of them that they had gone is where they were.
    const changes = [...unwritten.values()].filter(
      ({ userId, until }) => until !== null || !this.#written.has(userId),
    );
    for (const some of inChunks(changes, ROWS_AT_ONCE)) {
      try {
        await this.rows.write(this.#instance, some);
      } catch (error) {
        this.#putBack(changes);
        throw error;
      }
      for (const { userId, until } of some) {
        unwritten.delete(userId);
        if (until === null) this.#written.add(userId);
        else this.#written.delete(userId);
      }
      this.#tell(some.map(({ userId }) => userId));
    }
  }

  /** What could not be written waits, but for what is out of date by now; what was written already is written once more. */
  #putBack(changes: readonly OwnStreams[]): void {
    for (const change of changes)
      if (!this.#unwritten.has(change.userId)) this.#unwritten.set(change.userId, change);
  }

  #tell(userIds: readonly number[]): void {
    for (const some of inChunks(userIds, ROWS_AT_ONCE)) this.events.signal(PRESENCE_SIGNAL, some);
  }
}
