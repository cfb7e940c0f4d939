/** Duration of one call of some work in milliseconds, measured over many calls. */
export interface Timing {
  p50: number;
  p99: number;
}

const WARM_UP = 20;

type Work = () => Promise<unknown>;

/** Times `work` `count` times, one call after another, after a warm-up. */
export async function measure(work: Work, count = 200): Promise<Timing> {
  const { timing } = await measureInTurn({ timing: work }, count);
  return timing;
}

/**
 * Times several works in turn, for ratios: other load on the machine then affects all of them alike. `reset` runs after
 * each round and is not timed.
 */
export async function measureInTurn<Name extends string>(
  works: Record<Name, Work>,
  count = 200,
  reset?: Work,
): Promise<Record<Name, Timing>> {
  const entries = Object.entries<Work>(works).map(([name, work]) => ({ name, work, times: [] as number[] }));
  for (let index = -WARM_UP; index < count; index += 1) {
    for (const { work, times } of entries) {
      const start = performance.now();
      await work();
      if (index >= 0) times.push(performance.now() - start);
    }
    await reset?.();
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, timingOf(times)])) as Record<
    Name,
    Timing
  >;
}

/** Returns the percentiles of durations. */
export function timingOf(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** One line of the result: the measurement and its target. */
export interface Row {
  what: string;
  /** Milliseconds, or a ratio to another measurement of the same run. */
  value: number;
  unit: 'ms' | 's' | '×' | '/s' | 'MiB' | 'KiB' | 'rows' | 'tasks' | 'pushes';
  target?: string;
  met?: boolean;
}
