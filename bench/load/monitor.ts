import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into the service before it starts (`node --require`): sends memory and event-loop delay to the parent process
 * once a second.
 */

/** State of a process: memory in bytes, event-loop delay in milliseconds. */
export interface Vitals {
  rss: number;
  heapUsed: number;
  /** The longest delay within the last second. */
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
