import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const LOOK_EVERY_MS = 1_000;
/** Each sample wakes the process: a hundred a second would cost an idle instance half of what it takes. */
const RESOLUTION_MS = 50;
const MAX_SHARE_OF_HEAP = 0.9;

/** What there is too much of, and how much there is, in milliseconds or bytes. */
export interface Pressure {
  why: 'eventLoopDelay' | 'heapUsed';
  value: number;
}

/**
 * Looks once a second how the process is doing. It opens no file to find out (`process.memoryUsage()` does), so that
 * it can still look when there are no file descriptors left.
 */
export class ResourceMonitor {
  /** As the last look found it. */
  pressure?: Pressure;
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;

  /** @param maxEventLoopDelayMs the mean of a second; a busy instance shows some tens. 0: whatever the delay */
  constructor(private readonly maxEventLoopDelayMs: number) {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  #look(): void {
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
    // Not a number without a sample, as when the start has kept the loop from its first ones.
    return Number.isNaN(mean) ? 0 : mean / 1e6 - RESOLUTION_MS;
  }
}
