/** Clocks of the machine, in ms. */
interface Clocks {
  /** Time since the page was opened. May stop while the machine sleeps. */
  monotonic: () => number;
  /** Time since 1970. Jumps when the clock is set. */
  wall: () => number;
}

/**
 * Estimates the service's time from the times in its events. The estimate is a lower bound while the machine's clock is not set
 * forward, because events arrive late. After a sleep the wall clock continues the estimate: replayed events do not correct it.
 */
export class ClockEstimate {
  /** Largest observed differences between the service's time and each clock, in ms. Undefined before the first event. */
  #offsets: { monotonic: number; wall: number } | undefined;

  constructor(private readonly clocks: Clocks) {}

  /** Takes the time of an event into account. */
  observe(serviceTime: number): void {
    if (Number.isNaN(serviceTime)) return;
    const { monotonic, wall } = this.#offsets ?? { monotonic: -Infinity, wall: -Infinity };
    this.#offsets = {
      monotonic: Math.max(monotonic, serviceTime - this.clocks.monotonic()),
      wall: Math.max(wall, serviceTime - this.clocks.wall()),
    };
  }

  /** Returns the estimate in ms since 1970; the machine's time before the first event. */
  now(): number {
    if (this.#offsets === undefined) return this.clocks.wall();
    const { monotonic, wall } = this.#offsets;
    return Math.max(monotonic + this.clocks.monotonic(), wall + this.clocks.wall());
  }
}
