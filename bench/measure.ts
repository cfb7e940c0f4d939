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
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
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
