import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { forgetSilent, forgetStreams, openStreams, tellStreams } from '../store/instance-streams';

const INTERVAL_MS = 2_000;
/** A number that is still the same is told again so often. */
const RENEWAL_SECONDS = 10;
/** An instance that has not told anything for so long is gone. */
const EXPIRY_SECONDS = 25;
const LATER = 'How many streams are open is told later';

/** How many event streams are open: each instance tells its own number when it is another, and while there are any. */
@Injectable()
export class StreamCounts implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(StreamCounts.name);
  readonly #instance = randomUUID();
  /** What was told last, and when, in milliseconds since 1970. */
  #told = { streams: 0, at: 0 };
  readonly #job = new PeriodicJob(this, {
    name: 'stream_counts',
    everyMs: INTERVAL_MS,
    run: () => this.tell(),
    onFailure: LATER,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
    if (this.#told.streams === 0) return;
    await this.transactions
      .run((em) => forgetStreams(em, this.#instance))
      .catch((error: unknown) => this.#log.warn(`${LATER}: ${String(error)}`));
  }

  /** How many are open on all instances, as they last told. */
  count(): Promise<number> {
    return openStreams(this.dataSource.manager, plusSeconds(this.clock.now(), -EXPIRY_SECONDS));
  }

  /** Tells the number of this instance, where it is time to. */
  async tell(): Promise<void> {
    const now = this.clock.now();
    const streams = this.events.streamCount;
    const age = Math.abs(now.getTime() - this.#told.at);
    if (streams === this.#told.streams && (streams === 0 || age < RENEWAL_SECONDS * 1_000)) return;
    await this.transactions.run(async (em) => {
      if (streams === 0) await forgetStreams(em, this.#instance);
      else await tellStreams(em, this.#instance, streams, now);
      await forgetSilent(em, plusSeconds(now, -2 * EXPIRY_SECONDS));
    });
    this.#told = { streams, at: now.getTime() };
  }
}
