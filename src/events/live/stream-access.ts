import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Admission } from '../../common/auth/principal';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { StreamRegistry } from './stream-registry';
import type { EventStream } from './event-stream';

/** Requests are asked again every ten seconds at the latest; streams are no better. */
const INTERVAL_MS = 5_000;
const LATER = 'Streams are checked again later';

/** Ends the streams of users who are no longer let in: at once when this instance did it, else within seconds. */
@Injectable()
export class StreamAccess implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(StreamAccess.name);
  readonly #round = new PeriodicJob({
    context: StreamAccess.name,
    everyMs: INTERVAL_MS,
    run: () => this.check(this.registry.streams),
    onFailure: LATER,
  });
  #subscription?: Subscription;

  constructor(
    private readonly registry: StreamRegistry,
    private readonly admission: Admission,
  ) {}

  onApplicationBootstrap(): void {
    this.#round.start();
    this.#subscription = this.admission.changes.subscribe((userId) => {
      this.check(this.registry.streamsOf(userId)).catch((error: unknown) =>
        this.#log.warn(`${LATER}: ${String(error)}`),
      );
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#round.stop();
  }

  /** Asks once for all of these streams, and ends those that would not be opened now. */
  async check(streams: EventStream[]): Promise<void> {
    if (streams.length === 0) return;
    const admitted = await this.admission.stillAdmitted(streams.map(({ principal }) => principal));
    for (const stream of streams) if (!admitted.has(stream.principal)) stream.end();
  }
}
