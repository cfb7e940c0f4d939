import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { memberIdsOf } from '../store/members.queries';
import type { ReadEvent } from './event-payloads';

/** Between two that tell of the same reader in the same group. */
const INTERVAL_MS = 3_000;
const TICK_MS = 250;

/** What was told last of a reader in a group, and what has been held back since. */
interface Told {
  until: number;
  held?: ReadEvent;
}

/**
 * Lets the other members of a small group hear live who has read how far: without a cursor, of each reader once in three
 * seconds, and then the last that was held back (contract 18.3). Nothing of it is stored, and where nobody listens,
 * nothing is asked.
 */
@Injectable()
export class LiveReads implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(LiveReads.name);
  readonly #told = new Map<string, Told>();
  readonly #ticking = new PeriodicJob(this, {
    name: 'live_reads',
    everyMs: TICK_MS,
    run: () => this.#tick(),
    onFailure: 'Some do not hear who has read',
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#ticking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#ticking.stop();
  }

  /** Tells the others of a reading once the running transaction has committed. */
  publish(em: EntityManager, read: ReadEvent): void {
    if (!this.events.hasListeners) return;
    this.transactions.atEnd(em, {
      write: () => Promise.resolve(),
      committed: () => {
        this.#take(read).catch((error: unknown) =>
          this.#log.warn(`Some do not hear who has read: ${String(error)}`),
        );
      },
    });
  }

  async #take(read: ReadEvent): Promise<void> {
    const key = `${read.conversation_id}:${read.user_id}`;
    const now = this.clock.now().getTime();
    const told = this.#told.get(key);
    if (told !== undefined && now < told.until) {
      told.held = laterOf(told.held, read);
      return;
    }
    this.#told.set(key, { until: now + INTERVAL_MS });
    await this.#tell(read);
  }

  /** Tells what was held back long enough, and forgets those of whom there is nothing more to tell. */
  async #tick(): Promise<void> {
    const now = this.clock.now().getTime();
    for (const [key, { until, held }] of this.#told) {
      if (now < until) continue;
      if (held === undefined) this.#told.delete(key);
      else {
        this.#told.set(key, { until: now + INTERVAL_MS });
        await this.#tell(held);
      }
    }
  }

  async #tell(read: ReadEvent): Promise<void> {
    const members = await memberIdsOf(this.dataSource.manager, read.conversation_id);
    const others = members.filter((userId) => userId !== read.user_id);
    this.events.tellLive(others, { type: 'conversation.read', payload: read });
  }
}

/** Commits of one reader may be heard of in another order. */
const laterOf = (a: ReadEvent | undefined, b: ReadEvent): ReadEvent =>
  (a?.up_to_message_id ?? 0) > (b.up_to_message_id ?? 0) ? (a ?? b) : b;
