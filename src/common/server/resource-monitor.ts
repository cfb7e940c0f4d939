import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const SAMPLE_INTERVAL_MS = 1_000;
/** Each sample wakes the process: a hundred per second would be half of the processor time of an idle instance. */
const RESOLUTION_MS = 50;
const MAX_SHARE_OF_HEAP = 0.9;

/** The exceeded limit, and the measured value in milliseconds or bytes. */
export interface Pressure {
  why: 'eventLoopDelay' | 'heapUsed';
  value: number;
}

/**
 * Samples the event loop delay and the heap once a second. Opens no file (`process.memoryUsage()` does), so that it
 * still works when the process has no file descriptors left.
 */
export class ResourceMonitor {
  /** Result of the last sample; undefined if no limit is exceeded. */
  pressure?: Pressure;
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;

  /**
   * @param maxEventLoopDelayMs limit on the mean of a second; a busy instance has some tens of milliseconds. 0: no
   *   limit
   */
  constructor(private readonly maxEventLoopDelayMs: number) {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  #sample(): void {
    const delay = this.#meanDelay();
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    if (this.maxEventLoopDelayMs > 0 && delay > this.maxEventLoopDelayMs)
      this.pressure = { why: 'eventLoopDelay', value: delay };
    else if (used > MAX_SHARE_OF_HEAP * limit) this.pressure = { why: 'heapUsed', value: used };
    else this.pressure = undefined;
  }

  #meanDelay(): number {
    const { mean } = this.#delay;
    this.#delay.reset();
    // NaN without a sample, for example if the start of the service has blocked the event loop.
    return Number.isNaN(mean) ? 0 : mean / 1e6 - RESOLUTION_MS;
  }
}
