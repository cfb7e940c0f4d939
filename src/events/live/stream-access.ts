import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Admission, type Principal } from '../../common/auth/principal';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { StreamRegistry } from './stream-registry';

/** Requests are asked again every ten seconds at the latest; streams are no better. */
const INTERVAL_MS = 5_000;
const LATER = 'Streams are checked again later';

/** A stream of whatever. */
interface OpenStream {
  /** Who listens, as the token said. */
  readonly principal: Principal;
  end(): void;
}

/** Streams that are open on this instance. */
interface OpenStreams {
  readonly streams: OpenStream[];
  streamsOf(userId: number): OpenStream[];
}

/** Ends the streams of users who are no longer let in: at once when this instance did it, else within seconds. */
@Injectable()
export class StreamAccess implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(StreamAccess.name);
  readonly #round = new PeriodicJob(this, {
    name: 'stream_access',
    everyMs: INTERVAL_MS,
    run: () => this.check(this.#guarded.flatMap(({ streams }) => streams)),
    onFailure: LATER,
  });
  readonly #guarded: OpenStreams[];
  #subscription?: Subscription;

  constructor(
    registry: StreamRegistry,
    private readonly admission: Admission,
  ) {
    this.#guarded = [registry];
  }

  /** Ends other streams, too, of those who are no longer let in; registered at the start. */
  guard(streams: OpenStreams): void {
    this.#guarded.push(streams);
  }

  onApplicationBootstrap(): void {
    this.#round.start();
    this.#subscription = this.admission.changes.subscribe((userId) => {
      this.check(this.#guarded.flatMap((open) => open.streamsOf(userId))).catch((error: unknown) =>
        this.#log.warn(`${LATER}: ${String(error)}`),
      );
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#round.stop();
  }

  /** Asks once for all of these streams, and ends those that would not be opened now. */
  async check(streams: OpenStream[]): Promise<void> {
    if (streams.length === 0) return;
    const admitted = await this.admission.stillAdmitted(streams.map(({ principal }) => principal));
    for (const stream of streams) if (!admitted.has(stream.principal)) stream.end();
  }
}
