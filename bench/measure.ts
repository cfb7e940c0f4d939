/** How long one call of some work takes, in milliseconds: the median of many. */
export interface Timing {
  p50: number;
  p99: number;
}

const WARM_UP = 20;

/** Times `work`, one call after the other, `count` times after a warm-up. */
export async function measure(work: () => Promise<unknown>, count = 200): Promise<Timing> {
  for (let index = 0; index < WARM_UP; index += 1) await work();
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return timingOf(times);
}

/** One line of the result: what was measured, and the bar it is held to. */
export interface Row {
  what: string;
  /** Milliseconds, or a ratio to another measurement of the same run. */
  value: number;
  unit: 'ms' | '×' | '/s';
  target?: string;
  met?: boolean;
}

/**
 * Times two works turn by turn, so that whatever else the machine does meets both alike. `reset` runs after each pair,
 * untimed.
 */
export async function measurePair(
  works: [first: () => Promise<unknown>, second: () => Promise<unknown>],
  { count = 300, reset = async (): Promise<void> => undefined } = {},
): Promise<[first: Timing, second: Timing]> {
  const times: [number[], number[]] = [[], []];
  for (let index = -WARM_UP; index < count; index += 1) {
    for (const side of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now();
      await works[side]();
      if (index >= 0) times[side].push(performance.now() - start);
    }
    await reset();
  }
  return [timingOf(times[0]), timingOf(times[1])];
}

function timingOf(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
