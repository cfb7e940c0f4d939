import { performance } from 'node:perf_hooks';

/** Above 0, because callers divide by the ratio. */
const MIN_RATIO = 0.001;

/** Measures the idle ratio of the event loop since the previous sample, from 0.001 to 1. */
export class EventLoopIdleRatio {
  #last = performance.eventLoopUtilization();

  sample(): number {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    return Math.max(1 - utilization, MIN_RATIO);
  }
}
