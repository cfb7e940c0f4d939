import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { cacheLoad } from './concurrency/cache-load';
import { withTimeout } from './concurrency/with-timeout';
import { TIMINGS } from './timings';

/** Upper bounds in seconds, from a response that feels immediate to one for which no client waits. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Reading = number | undefined;

/** How the values of the workers of an instance become one. */
type Aggregation = 'sum' | 'max' | 'min';

/**
 * Metrics of this instance, served at `/metrics`. Each module registers its own metrics next to the measured code.
 * Names begin with `callboard_`; durations are in seconds.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  /**
   * Registers a gauge whose value is read on each request for the metrics. The value is NaN if `read` returns
   * undefined, fails or takes longer than a second, so that one gauge cannot delay or break the others.
   * @param aggregator default `max`, for values that are the same in each worker, such as those of the database
   */
  gauge(
    name: string,
    help: string,
    read: () => Reading | Promise<Reading>,
    aggregator: Aggregation = 'max',
  ): void {
    const gauge = new Gauge({
      name,
      help,
      aggregator,
      registers: [this.registry],
      async collect(): Promise<void> {
        gauge.set(await readWithTimeout(read));
      },
    });
  }

  /** Registers a counter, which starts at 0 with the instance. The name ends in `_total`. */
  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Registers a histogram of durations or delays in seconds. */
  durations<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.registry] });
  }
}

/**
 * Shares one run of `load` between concurrent calls, so that a slow database does not receive the same query
 * repeatedly.
 */
export const oneAtATime = <T>(load: () => Promise<T>): (() => Promise<T>) => cacheLoad(load, () => 0);

async function readWithTimeout(read: () => Reading | Promise<Reading>): Promise<number> {
  try {
    return (await withTimeout(Promise.resolve(read()), TIMINGS.gaugeWithinMs)) ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
