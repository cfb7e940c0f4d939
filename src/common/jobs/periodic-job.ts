import { Logger } from '@nestjs/common';
import type { Config } from '../../config/config';
import { type HealthReport, OFF } from '../health/health';
import { RunRecord } from '../health/run-record';

/** Runs a job once. A long run should end early when the signal is aborted, which happens at shutdown. */
export type JobMethod = (stopping: AbortSignal) => Promise<void>;

export interface JobSchedule {
  /** Name in `GET /api/admin/health` (docs/administration.md). */
  name: string;
  /** Interval between the starts of two runs in milliseconds. */
  everyMs: number;
  /** Log message for a failed run; states the effect. The next run is made in any case. */
  onFailure: string;
  /** Runs on one worker of an instance only, because the work is on the whole database. Default: on each worker. */
  oncePerInstance?: boolean;
  /** Whether the configuration enables the job; read by `JobExplorer` only. Default: always. */
  isEnabled?: (config: Config) => boolean;
}

interface Job extends JobSchedule {
  run: JobMethod;
}

/** A run that takes longer than this many intervals, and longer than `STUCK_MS`, is reported as down. */
const STUCK_INTERVALS = 10;
const STUCK_MS = 60_000;

const jobs = new WeakMap<object, PeriodicJob[]>();

/** Returns the periodic jobs of an object. */
export const jobsOf = (owner: object): readonly PeriodicJob[] => jobs.get(owner) ?? [];

/**
 * A job that runs at a fixed interval on every instance, and on each of its workers unless `oncePerInstance`, never
 * twice at the same time. Usually a method with `@Periodic`. An owner that computes whether its job runs, or whose job
 * must run until a later step of the shutdown, creates the job itself, starts it in `onApplicationBootstrap` and stops it
 * in `onModuleDestroy`. Its timer does not keep the process alive.
 */
export class PeriodicJob {
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #record = new RunRecord();
  #timer?: NodeJS.Timeout;
  #running?: Promise<void>;
  #runningSince?: number;

  /** @param owner the object with which `jobsOf` finds the job; its class name is the context of the log lines */
  constructor(
    owner: object,
    readonly schedule: Job,
  ) {
    this.#log = new Logger(owner.constructor.name);
    jobs.set(owner, [...jobsOf(owner), this]);
  }

  get name(): string {
    return this.schedule.name;
  }

  /** Health of the job; times are of the machine's clock. `off` before the start and after the stop. */
  get health(): HealthReport {
    const { outcome, isFailing } = this.#record;
    if (this.#timer === undefined || this.#stopping.signal.aborted) return { ...OFF, ...outcome };
    const now = Date.now();
    const since = this.#runningSince ?? now;
    const isStuck = now - since > Math.max(STUCK_MS, STUCK_INTERVALS * this.schedule.everyMs);
    if (!isStuck) return { status: isFailing ? 'down' : 'up', ...outcome };
    const lastError = `The run started at ${new Date(since).toISOString()} has not finished`;
    return { status: 'down', ...outcome, lastErrorAt: new Date(now), lastError };
  }

  /** Starts the job. The first run begins after one interval. */
  start(): void {
    this.#timer = setInterval(() => this.#runIfIdle(), this.schedule.everyMs).unref();
  }

  /** Stops the job. Resolves when the current run has ended; no further run starts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  #runIfIdle(): void {
    if (this.#running !== undefined) return;
    this.#runningSince = Date.now();
    this.#running = this.#record
      .of(this.schedule.run(this.#stopping.signal))
      .catch((error: unknown) => this.#log.warn(`${this.schedule.onFailure}: ${String(error)}`))
      .finally(() => (this.#running = this.#runningSince = undefined));
  }
}

/** Repeats a step until it returns false (nothing left to do), or the signal is aborted. */
export async function repeatWhile(step: () => Promise<boolean>, stopping?: AbortSignal): Promise<void> {
  for (;;) if (stopping?.aborted || !(await step())) return;
}
