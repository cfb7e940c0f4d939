import { performance } from 'node:perf_hooks';

/** Never quite nothing, so that one can divide by it. */
const LEAST = 0.001;

/** Tells how idle this instance is: which part of the time since the last look, up to 1, its event loop had nothing to do. */
export class LoopIdleness {
  #last = performance.eventLoopUtilization();

  look(): number {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    return Math.max(1 - utilization, LEAST);
  }
}
