import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into the service before it starts (`node --require`), so that it can be watched from outside: once a second it
 * tells its parent process how it is.
 */

/** How a process is: memory in bytes, the delay of its event loop in milliseconds. */
export interface Vitals {
  rss: number;
  heapUsed: number;
  /** The longest within the last second. */
  loopDelay: number;
}

const RESOLUTION_MS = 10;

const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  const loopDelay = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS);
  process.send?.({ rss, heapUsed, loopDelay } satisfies Vitals);
  histogram.reset();
}, 1_000).unref();
