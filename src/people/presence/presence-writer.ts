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
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { EventsService } from '../../events/events.service';
import { InstanceRegistry } from './instance-registry';
import { type OwnStreams, ROWS_AT_ONCE } from './instance-streams.store';
import { PRESENCE_SIGNAL } from './presence-changes';

const TICK_MS = 1_000;
const RENEWAL_MS = 5_000;

/**
 * Writes which users have event streams open on this instance: one row per user when the first one opens and when the
 * last one closes, batched per second, and the row of the instance every five seconds while there are any. Without
 * streams nothing is written.
 */
@Injectable()
export class PresenceWriter implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(PresenceWriter.name);
  readonly #instanceId = randomUUID();
  /** Users with open streams on this instance, and since when. */
  readonly #open = new Map<number, Date>();
  /** Changes that are not written yet, by user id. */
  #unwritten = new Map<number, OwnStreams>();
  /** Users whose open stream is stored. */
  readonly #written = new Set<number>();
  #renewedAt = -Infinity;
  #sweptAt = -Infinity;
  #subscription?: Subscription;
  readonly #job = new PeriodicJob(this, {
    name: 'presence_writing',
    everyMs: TICK_MS,
    run: () => this.tick(),
    onFailure: 'Failed to write presence, retrying in 1 s',
  });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly registry: InstanceRegistry,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.people.presence) return;
    this.#subscription = this.events.connectionChanges.subscribe(({ userId, isConnected }) =>
      this.#recordChange(userId, isConnected),
    );
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#job.stop();
    if (this.#written.size === 0 && this.#unwritten.size === 0) return;
    try {
      this.#signal(await this.registry.deregister(this.#instanceId));
    } catch (error) {
      this.#log.warn(
        `Failed to deregister the instance; its users appear offline within 30 s: ${String(error)}`,
      );
    }
  }

  /** Renews the row of this instance, writes changes, and removes dead instances. Called once a second. */
  async tick(): Promise<void> {
    if (!this.config.people.presence) return;
    const now = this.clock.now().getTime();
    if (this.#written.size > 0 || this.#unwritten.size > 0) await this.#renew(now);
    await this.#write();
    if (Math.abs(now - this.#sweptAt) < RENEWAL_MS) return;
    this.#sweptAt = now;
    this.#signal(await this.registry.sweep(this.#instanceId));
  }

  #recordChange(userId: number, listens: boolean): void {
    const now = this.clock.now();
    const since = this.#open.get(userId) ?? now;
    if (listens) this.#open.set(userId, since);
    else this.#open.delete(userId);
    this.#unwritten.set(userId, { userId, since, until: listens ? null : now });
  }

  /**
   * Renews the row of this instance, also before the first stream row, which depends on it. If the row is missing,
   * other instances took this one for dead (for example after the machine was suspended), and all streams are written
   * again.
   */
  async #renew(now: number): Promise<void> {
    // Without stored streams the row was not renewed, so the renewal interval does not apply.
    if (this.#written.size > 0 && Math.abs(now - this.#renewedAt) < RENEWAL_MS) return;
    const existed = await this.registry.renew(this.#instanceId);
    this.#renewedAt = now;
    if (existed) return;
    this.#written.clear();
    for (const [userId, since] of this.#open)
      if (!this.#unwritten.has(userId)) this.#unwritten.set(userId, { userId, since, until: null });
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    this.#unwritten = new Map();
    // A user who reconnected before the disconnection was written is stored as online already.
    const changes = [...unwritten.values()].filter(
      ({ userId, until }) => until !== null || !this.#written.has(userId),
    );
    for (const chunk of inChunks(changes, ROWS_AT_ONCE)) {
      try {
        await this.registry.write(this.#instanceId, chunk);
      } catch (error) {
        // The rows may have been written, if only the response was lost.
        for (const { userId } of chunk) this.#written.delete(userId);
        this.#requeue(changes);
        throw error;
      }
      for (const { userId, until } of chunk) {
        unwritten.delete(userId);
        if (until === null) this.#written.add(userId);
        else this.#written.delete(userId);
      }
      this.#signal(chunk.map(({ userId }) => userId));
    }
  }

  /**
   * Queues failed changes again, unless newer ones exist. Changes of chunks that were written are written again, which
   * is idempotent.
   */
  #requeue(changes: readonly OwnStreams[]): void {
    for (const change of changes)
      if (!this.#unwritten.has(change.userId)) this.#unwritten.set(change.userId, change);
  }

  #signal(userIds: readonly number[]): void {
    for (const chunk of inChunks(userIds, ROWS_AT_ONCE)) this.events.signal(PRESENCE_SIGNAL, chunk);
  }
}
