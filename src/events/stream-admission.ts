import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Admission } from '../common/auth/principal';
import { EventHub } from './event-hub';
import type { EventStream } from './event-stream';
import { Repeater } from './repeater';

/** Requests are asked again every ten seconds at the latest; streams are no better. */
const INTERVAL_MS = 5_000;

/** Ends the streams of users who are no longer let in: at once when this instance did it, else within seconds. */
@Injectable()
export class StreamAdmission implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(StreamAdmission.name);
  readonly #round = new Repeater(
    () => this.check(this.hub.streams),
    (error) => this.#warn(error),
  );
  #timer?: NodeJS.Timeout;
  #subscription?: Subscription;

  constructor(
    private readonly hub: EventHub,
    private readonly admission: Admission,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.#round.runIfIdle(), INTERVAL_MS);
    this.#subscription = this.admission.changes.subscribe((userId) => {
      this.check(this.hub.streamsOf(userId)).catch((error: unknown) => this.#warn(error));
    });
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscription?.unsubscribe();
    await this.#round.stop();
  }

  /** Asks once for all of these streams, and ends those that would not be opened now. */
  async check(streams: EventStream[]): Promise<void> {
    if (streams.length === 0) return;
    const admitted = await this.admission.stillAdmitted(streams.map(({ principal }) => principal));
    for (const stream of streams) if (!admitted.has(stream.principal)) stream.end();
  }

  #warn(error: unknown): void {
    this.#log.warn(`Streams are looked through again later: ${String(error)}`);
  }
}
