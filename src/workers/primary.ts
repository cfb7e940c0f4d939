import cluster from 'node:cluster';
import type { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { Link, type LinkEnd, type LinkHandler } from './link';
import { toEnvironment } from './this-worker';
import { BROADCAST, CHECK, COLLECT, READY } from './workers';

/**
 * Maximum wait for each worker. Longer than the time limit of a health check, which a worker reports as `down`; shorter than
 * the wait of the worker that asks, which receives the other replies.
 */
const COLLECT_TIMEOUT_MS = 3_000;
/** Each end of a worker within this time doubles the delay before the next start in its place. */
const CRASH_WINDOW_MS = 300_000;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A worker that has not responded to this many checks in succession is killed. */
const MAX_MISSED_CHECKS = 3;
const CHECK_INTERVAL_MS = 10_000;

/** A worker process: the part of a worker of `node:cluster` that the primary uses. */
export interface WorkerProcess extends EventEmitter {
  send: LinkEnd['send'];
  process: { kill(signal: NodeJS.Signals): unknown };
}

interface Options {
  /** Number of workers. */
  count: number;
  log: Logger;
  /** Maximum duration of a shutdown. */
  shutdownWithinMs: number;
  /** Handlers of questions that the primary answers for all workers, by topic. */
  handlers: Record<string, LinkHandler>;
  /**
   * Names of contributions that outlive their worker: returns the part that is kept of the last contributions of ended
   * workers, such as their counters. Of a worker that does not respond, its last contribution is collected.
   */
  kept: Record<string, (contributions: never[]) => unknown>;
  /** Ends the process. */
  exit: (code: number) => void;
  /** Starts a worker process. */
  fork?: (env: NodeJS.ProcessEnv) => WorkerProcess;
}

/** A place for a worker. A worker that ends is replaced by another one in the same place. */
interface Place {
  number: number;
  worker?: WorkerProcess;
  link?: Link;
  isReady: boolean;
  /** Last contributions of its worker, by name; only those of `Options.kept`. */
  last: Map<string, unknown>;
  /** Times of the ends of its workers within `CRASH_WINDOW_MS`. */
  endedAt: number[];
  missedChecks: number;
}

/**
 * Starts the worker processes, replaces those that end, and forwards their messages. It serves no requests itself:
 * `node:cluster` accepts the connections and gives them to the workers in turn.
 */
export class Primary {
  readonly #serviceId = randomUUID();
  readonly #places: Place[];
  /** Parts that are kept of the contributions of ended workers, by name. */
  readonly #kept = new Map<string, unknown>();
  #isStopping = false;
  #exitCode = 0;

  constructor(private readonly options: Options) {
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      isReady: false,
      last: new Map(),
      endedAt: [],
      missedChecks: 0,
    }));
    // The default, JSON, has no NaN, which is the value of a gauge that could not be read.
    cluster.setupPrimary({ serialization: 'advanced' });
    setInterval(() => this.#checkAll(), CHECK_INTERVAL_MS).unref();
  }

  /**
   * Starts the first worker, and the others when it is ready: it creates the demo data, and if it fails at its start,
   * its error is the only one.
   */
  start(): void {
    const [first] = this.#places;
    if (first) this.#fork(first);
  }

  /** Stops all workers with SIGTERM. The process exits when they have ended, or after `shutdownWithinMs`. */
  stop(signal: string): void {
    if (this.#isStopping) return;
    this.options.log.info(`${signal}: stopping`);
    this.#stopAll();
  }

  #fork(place: Place): void {
    if (this.#isStopping) return;
    const { fork = (env) => cluster.fork(env) as WorkerProcess } = this.options;
    const worker = fork(toEnvironment({ serviceId: this.#serviceId, number: place.number }));
    const link = new Link(worker);
    Object.assign(place, { worker, link, isReady: false, missedChecks: 0 });
    for (const [topic, handler] of Object.entries(this.options.handlers)) link.handle(topic, handler);
    link.handle(READY, () => this.#onReady(place));
    link.handle(BROADCAST, (body) => {
      for (const other of this.#ready) if (other !== place) other.link?.notify(BROADCAST, body);
    });
    link.handle(COLLECT, (name) => this.#collect(name));
    // Without a listener, the error of a signal or message that arrives too late would end the process.
    worker.on('error', () => undefined);
    worker.once('exit', (code: number | null, signal: string | null) =>
      this.#onExit(place, { code, signal }),
    );
  }

  get #ready(): Place[] {
    return this.#places.filter(({ isReady }) => isReady);
  }

  #onReady(place: Place): void {
    place.isReady = true;
    for (const other of this.#places)
      if (other.worker === undefined && other.endedAt.length === 0) this.#fork(other);
  }

  async #collect(name: string): Promise<unknown[]> {
    // Read before the responses: a worker that responds and then ends must not be counted twice.
    const kept = valuesOf(this.#kept, name);
    const contributions = await Promise.all(this.#ready.map((place) => this.#contributionOf(place, name)));
    return [...kept, ...contributions.flat()];
  }

  /** Returns at most one contribution. */
  async #contributionOf(place: Place, name: string): Promise<unknown[]> {
    const last = valuesOf(place.last, name);
    try {
      const contribution = await place.link?.ask(COLLECT, name, COLLECT_TIMEOUT_MS);
      if (name in this.options.kept) place.last.set(name, contribution);
      return [contribution];
    } catch {
      return last;
    }
  }

  #keepLast({ last }: Place): void {
    for (const [name, contribution] of last) {
      const contributions = [...valuesOf(this.#kept, name), contribution];
      this.#kept.set(name, this.options.kept[name]?.(contributions as never[]));
    }
    last.clear();
  }

  #onExit(place: Place, end: { code: number | null; signal: string | null }): void {
    const hasServed = place.isReady;
    place.link?.close();
    this.#keepLast(place);
    Object.assign(place, { worker: undefined, link: undefined, isReady: false });
    if (this.#isStopping) {
      if (hasServed) this.#exitCode ||= end.code ?? 1;
      this.#exitIfAllEnded();
      return;
    }
    const fields = { worker: place.number, ...end };
    if (!hasServed && this.#ready.length === 0) {
      this.options.log.error(fields, 'A worker failed to start, stopping');
      this.#exitCode = 1;
      this.#stopAll();
      return;
    }
    const delayMs = this.#delayMs(place);
    this.options.log.error({ ...fields, delayMs }, 'A worker ended unexpectedly, starting another one');
    setTimeout(() => this.#fork(place), delayMs);
  }

  /** Returns the delay before the next start in a place: it doubles with each end within five minutes. */
  #delayMs(place: Place): number {
    const now = performance.now();
    place.endedAt = [...place.endedAt.filter((at) => now - at < CRASH_WINDOW_MS), now];
    return Math.min(MIN_DELAY_MS * 2 ** (place.endedAt.length - 1), MAX_DELAY_MS);
  }

  #stopAll(): void {
    this.#isStopping = true;
    for (const { worker } of this.#places) worker?.process.kill('SIGTERM');
    setTimeout(() => {
      for (const { worker } of this.#places) worker?.process.kill('SIGKILL');
      this.options.exit(this.#exitCode);
    }, this.options.shutdownWithinMs).unref();
    this.#exitIfAllEnded();
  }

  #exitIfAllEnded(): void {
    if (this.#places.every(({ worker }) => worker === undefined)) this.options.exit(this.#exitCode);
  }

  /** Kills workers that do not respond: their connections would wait, and a health check reaches another worker. */
  #checkAll(): void {
    for (const place of this.#ready)
      place.link?.ask(CHECK, undefined).then(
        () => (place.missedChecks = 0),
        () => this.#onMissedCheck(place),
      );
  }

  #onMissedCheck(place: Place): void {
    place.missedChecks += 1;
    if (place.missedChecks < MAX_MISSED_CHECKS || this.#isStopping) return;
    this.options.log.error({ worker: place.number }, 'A worker does not respond, killing it');
    place.worker?.process.kill('SIGKILL');
  }
}

const valuesOf = (map: Map<string, unknown>, name: string): unknown[] =>
  map.has(name) ? [map.get(name)] : [];
