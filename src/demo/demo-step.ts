/** A step of the demo timeline: an activity in the past. */
export interface DemoStep {
  /** Start of the step, in minutes before now. */
  minutesAgo: number;
  /** Runs the step. `advance(seconds)` sets the clock to that many seconds after the start of the step. */
  play: (advance: (seconds: number) => void) => Promise<unknown>;
}

/** In minutes. */
export const MINUTES_PER_HOUR = 60;
/** In minutes. */
export const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;
