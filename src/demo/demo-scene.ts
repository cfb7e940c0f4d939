import type { UserId } from '../common/ids';
import type { DemoPersonName } from './demo-people';

/** Who is in the demonstration. */
export type DemoCast = Record<DemoPersonName, UserId>;

/** Something that happened a while before the demonstration is looked at. */
export interface DemoScene {
  /** When it began, in minutes before now. */
  minutesAgo: number;
  /** Lets it happen; `later` moves the clock on, to so many seconds after its beginning. */
  play: (later: (seconds: number) => void) => Promise<unknown>;
}

export const HOUR = 60;
export const DAY = 24 * HOUR;
