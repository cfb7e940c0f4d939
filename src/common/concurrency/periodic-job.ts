import { Logger } from '@nestjs/common';

interface Job {
  /** The part of the service that speaks in the log. */
  context: string;
  /** From the beginning of one run to that of the next, in milliseconds. */
  everyMs: number;
  /** One run; a long one ends early when the signal says that the service stops. */
  run: (stopping: AbortSignal) => Promise<void>;
  /** What a failed run means, for the log. The next one comes all the same. */
  onFailure: string;
}

/**
 * Something that an instance does by itself again and again, never twice at a time. Its owner starts it in
 * `onApplicationBootstrap` and stops it in `onModuleDestroy`. It keeps no process alive.
 */
export class PeriodicJob {
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #timer?: NodeJS.Timeout;
  #running?: Promise<void>;

  constructor(private readonly job: Job) {
    this.#log = new Logger(job.context);
  }

  /** The first run comes after one interval. */
  start(): void {
    this.#timer = setInterval(() => this.#runIfIdle(), this.job.everyMs).unref();
  }

  /** Resolves when no run is under way, and none will be. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  #runIfIdle(): void {
    this.#running ??= this.job
      .run(this.#stopping.signal)
      .catch((error: unknown) => this.#log.warn(`${this.job.onFailure}: ${String(error)}`))
      .finally(() => (this.#running = undefined));
  }
}

/** Does something again until it answers that there is no more to do, or the service stops. */
export async function repeatWhile(more: () => Promise<boolean>, stopping?: AbortSignal): Promise<void> {
  for (;;) if (stopping?.aborted || !(await more())) return;
}
