import { performance } from 'node:perf_hooks';

const BUSY = 0.6;

/** Tells whether requests keep this instance busy: how much of the time since the last look its event loop was at work. */
export class LoopLoad {
  #last = performance.eventLoopUtilization();

  isBusy(): boolean {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    return utilization > BUSY;
  }
}
