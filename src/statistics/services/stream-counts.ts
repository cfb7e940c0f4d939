import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { deleteStale, deleteStreams, openStreams, reportStreams } from '../store/instance-streams.store';

const INTERVAL_MS = 2_000;
/** An unchanged count is written again after this time. Must be below EXPIRY_SECONDS. */
const RENEWAL_SECONDS = 10;
/** Counts that are older belong to an instance that has stopped, and are ignored. */
const EXPIRY_SECONDS = 25;

/**
 * Number of open event streams on all instances. Each instance writes its own count when it has changed, and renews it
 * while it has open streams.
 */
@Injectable()
export class StreamCounts implements OnModuleDestroy {
  readonly #log = new Logger(StreamCounts.name);
  readonly #instance = randomUUID();
  /** The last written count, and the time of writing in milliseconds since 1970. */
  #written = { streams: 0, at: 0 };

  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    if (this.#written.streams === 0) return;
    await this.transactions
      .run((em) => deleteStreams(em, this.#instance))
      .catch((error: unknown) =>
        this.#log.warn(
          `Failed to remove the stream count of this instance; it expires in ${EXPIRY_SECONDS} s: ${String(error)}`,
        ),
      );
  }

  /** Returns the number of open streams on all instances, as each has last written it. */
  count(): Promise<number> {
    return openStreams(this.transactions.read(), plusSeconds(this.clock.now(), -EXPIRY_SECONDS));
  }

  /**
   * Writes the count of this instance if it has changed or its renewal is due, and deletes rows of stopped instances.
   */
  @Periodic({
    name: 'stream_counts',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to publish the number of open event streams, retrying on the next run',
  })
  async report(): Promise<void> {
    const now = this.clock.now();
    const streams = this.events.streamCount;
    const age = Math.abs(now.getTime() - this.#written.at);
    if (streams === this.#written.streams && (streams === 0 || age < RENEWAL_SECONDS * 1_000)) return;
    await this.transactions.run(async (em) => {
      if (streams === 0) await deleteStreams(em, this.#instance);
      else await reportStreams(em, this.#instance, streams, now);
      await deleteStale(em, plusSeconds(now, -2 * EXPIRY_SECONDS));
    });
    this.#written = { streams, at: now.getTime() };
  }
}
