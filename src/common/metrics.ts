import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { TIMINGS } from './timings';

/** From what is hardly noticed to what nobody waits for, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Reading = number | undefined;

/**
 * What this instance tells `/metrics`. Each module registers what it knows, beside the thing that is measured; names
 * begin with `callboard_`, durations are in seconds.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  /**
   * A value that is read whenever somebody asks for the metrics. One that cannot be told, because `read` answers
   * undefined, fails or takes longer than a second, is NaN: a metric never holds up or breaks the others.
   */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect(): Promise<void> {
        gauge.set(await inTime(read));
      },
    });
  }

  /** How often things have happened since this instance began; the name ends in `_total`. */
  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** How long things take, or how late they come, in seconds. */
  durations<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.registry] });
  }
}

/** Joins whoever asks while `ask` is under way into one asking, so that a slow database is not asked again and again. */
export function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}

/**
 * Shares an answer for `maxAgeMs` among all who ask, from the moment that it is there; meanwhile they join in. A failure is
 * shared only by those who have asked before it.
 */
export function sharedFor<T>(maxAgeMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let until = 0;
  const askAnew = async (): Promise<T> => {
    until = Infinity;
    try {
      const fresh = await ask();
      until = performance.now() + maxAgeMs;
      return fresh;
    } catch (error) {
      until = 0;
      throw error;
    }
  };
  return () => {
    if (answer === undefined || performance.now() >= until) answer = askAnew();
    return answer;
  };
}

async function inTime(read: () => Reading | Promise<Reading>): Promise<number> {
  const given = new AbortController();
  const late = pause(TIMINGS.gaugeWithinMs, undefined, { ref: false, signal: given.signal }).catch(
    () => undefined,
  );
  try {
    return (await Promise.race([read(), late])) ?? Number.NaN;
  } catch {
    return Number.NaN;
  } finally {
    given.abort();
  }
}
