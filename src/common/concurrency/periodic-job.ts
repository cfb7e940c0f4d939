import { Logger } from '@nestjs/common';
import { type HealthReport, OFF } from '../health/health';
import { RunRecord } from '../health/run-record';

interface Job {
  /** What administrators are shown it as (docs/administration.md). */
  name: string;
  /** From the beginning of one run to that of the next, in milliseconds. */
  everyMs: number;
  /** One run; a long one ends early when the signal says that the service stops. */
  run: (stopping: AbortSignal) => Promise<void>;
  /** What a failed run means, for the log. The next one comes all the same. */
  onFailure: string;
}

/** A run that lasts for so many intervals, and so long at the least, is taken for one that does not end. */
const ENDLESS_INTERVALS = 10;
const ENDLESS_MS = 60_000;

const jobs = new WeakMap<object, PeriodicJob[]>();

/** The jobs of an instance of a class. */
export const jobsOf = (owner: object): readonly PeriodicJob[] => jobs.get(owner) ?? [];

/**
 * Something that an instance does by itself again and again, never twice at a time. Its owner starts it in
 * `onApplicationBootstrap` and stops it in `onModuleDestroy`. It keeps no process alive.
 */
export class PeriodicJob {
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #record = new RunRecord();
  #timer?: NodeJS.Timeout;
  #running?: Promise<void>;
  #runningSince?: number;

  /** @param owner whose job it is, and who speaks in the log; `jobsOf` finds it there */
  constructor(
    owner: object,
    private readonly job: Job,
  ) {
    this.#log = new Logger(owner.constructor.name);
    jobs.set(owner, [...jobsOf(owner), this]);
  }

  get name(): string {
    return this.job.name;
  }

  /** How it stands, by the machine's clock. It is off before it is started, and once it is stopped. */
  get health(): HealthReport {
    const { outcome, isFailing } = this.#record;
    if (this.#timer === undefined || this.#stopping.signal.aborted) return { ...OFF, ...outcome };
    const now = Date.now();
    const since = this.#runningSince ?? now;
    const isEndless = now - since > Math.max(ENDLESS_MS, ENDLESS_INTERVALS * this.job.everyMs);
    if (!isEndless) return { status: isFailing ? 'down' : 'up', ...outcome };
    const lastError = `It has been running since ${new Date(since).toISOString()}`;
    return { status: 'down', ...outcome, lastErrorAt: new Date(now), lastError };
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
    if (this.#running !== undefined) return;
    this.#runningSince = Date.now();
    this.#running = this.#record
      .of(this.job.run(this.#stopping.signal))
      .catch((error: unknown) => this.#log.warn(`${this.job.onFailure}: ${String(error)}`))
      .finally(() => (this.#running = this.#runningSince = undefined));
  }
}

/** Does something again until it answers that there is no more to do, or the service stops. */
export async function repeatWhile(more: () => Promise<boolean>, stopping?: AbortSignal): Promise<void> {
  for (;;) if (stopping?.aborted || !(await more())) return;
}
