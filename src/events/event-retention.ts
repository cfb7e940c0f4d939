import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EventLog } from './event-log';

const TRIM_INTERVAL_MS = 60_000;
const BATCH = 500;

/** Deletes events that have outlived `EVENT_RETENTION_HOURS`, in small batches. Every instance does; none minds. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(EventRetention.name);
  #timer?: NodeJS.Timeout;
  #trimming?: Promise<void>;
  #isStopping = false;

  constructor(private readonly log: EventLog) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.#trimming ??= this.trim()
        .catch((error: unknown) => this.#log.warn(`Old events stay until the next time: ${String(error)}`))
        .finally(() => (this.#trimming = undefined));
    }, TRIM_INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#trimming;
  }

  /** Deletes everything that is too old. */
  async trim(): Promise<void> {
    while (!this.#isStopping && (await this.log.trim(BATCH)) === BATCH);
  }
}
