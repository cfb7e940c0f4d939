import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Authenticator, type Principal } from '../../common/auth/principal';
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { StreamRegistry } from './stream-registry';

/** Below ten seconds, the longest time for which the authentication of requests is cached. */
const INTERVAL_MS = 5_000;
const ON_FAILURE = 'Failed to revalidate open streams, retrying on the next run';

/** An open stream of any kind. */
interface OpenStream {
  /** The user, as authenticated by the token. */
  readonly principal: Principal;
  end(): void;
}

/** Streams that are open on this instance. */
interface OpenStreams {
  readonly streams: OpenStream[];
  streamsOf(userId: number): OpenStream[];
}

/**
 * Ends streams whose token or user is no longer admitted: immediately if this instance made the change, otherwise
 * within seconds.
 */
@Injectable()
export class StreamAccess implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(StreamAccess.name);
  readonly #job = new PeriodicJob(this, {
    name: 'stream_access',
    everyMs: INTERVAL_MS,
    run: () => this.check(this.#guarded.flatMap(({ streams }) => streams)),
    onFailure: ON_FAILURE,
  });
  readonly #guarded: OpenStreams[];
  #subscription?: Subscription;

  constructor(
    registry: StreamRegistry,
    private readonly authenticator: Authenticator,
  ) {
    this.#guarded = [registry];
  }

  /** Adds streams of another kind that are checked too. Called when the service starts. */
  guard(streams: OpenStreams): void {
    this.#guarded.push(streams);
  }

  onApplicationBootstrap(): void {
    this.#job.start();
    this.#subscription = this.authenticator.changes.subscribe((userId) => {
      this.check(this.#guarded.flatMap((open) => open.streamsOf(userId))).catch((error: unknown) =>
        this.#log.warn(`${ON_FAILURE}: ${String(error)}`),
      );
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#job.stop();
  }

  /** Revalidates all these streams with one call, and ends those whose user would no longer be admitted. */
  async check(streams: OpenStream[]): Promise<void> {
    if (streams.length === 0) return;
    const admitted = await this.authenticator.revalidate(streams.map(({ principal }) => principal));
    for (const stream of streams) if (!admitted.has(stream.principal)) stream.end();
  }
}
