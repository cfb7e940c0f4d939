import type { ReceivedResponse } from './exchange';

interface Counts {
  sent: number;
  succeeded: number;
  /** Number of responses by status. */
  statuses: Map<number, number>;
  slowestMs: number;
}

/** Number of requests of each operation, with its responses. */
export class Tally {
  readonly #counts: Map<string, Counts>;
  #slow = 0;

  /** @param slowMs duration above which a response counts as slow */
  constructor(
    names: string[],
    private readonly slowMs: number,
  ) {
    this.#counts = new Map(
      names.map((name) => [name, { sent: 0, succeeded: 0, statuses: new Map(), slowestMs: 0 }]),
    );
  }

  count(name: string, { status, ms }: ReceivedResponse): void {
    const counts = this.#counts.get(name);
    if (counts === undefined) return;
    counts.sent += 1;
    if (status < 400) counts.succeeded += 1;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    counts.slowestMs = Math.max(counts.slowestMs, ms);
    if (ms > this.slowMs) this.#slow += 1;
  }

  get sent(): number {
    return this.#sum(({ sent }) => sent);
  }

  get slowestMs(): number {
    return Math.max(...Array.from(this.#counts.values(), ({ slowestMs }) => slowestMs));
  }

  /** Share of slow responses, from 0 to 1. */
  get slowShare(): number {
    return this.#slow / Math.max(1, this.sent);
  }

  /** Share of successful requests, from 0 to 1. */
  get successShare(): number {
    return this.#sum(({ succeeded }) => succeeded) / Math.max(1, this.sent);
  }

  /** Operations that never succeeded. */
  get failures(): string[] {
    return Array.from(this.#counts)
      .filter(([, { succeeded }]) => succeeded === 0)
      .map(([name]) => name);
  }

  /** One line of the report per operation. */
  get lines(): string[] {
    return Array.from(this.#counts, ([name, { sent, succeeded, statuses, slowestMs }]) => {
      const share = `${Math.round((100 * succeeded) / Math.max(1, sent))} %`;
      const responses = Array.from(statuses)
        .toSorted(([a], [b]) => a - b)
        .map(([status, times]) => `${status}×${times}`);
      return `${name.padEnd(56)} ${String(sent).padStart(5)} ${share.padStart(6)} ${String(Math.round(slowestMs)).padStart(5)} ms  ${responses.join(' ')}`;
    });
  }

  #sum(of: (counts: Counts) => number): number {
    return Array.from(this.#counts.values(), of).reduce((sum, value) => sum + value, 0);
  }
}
