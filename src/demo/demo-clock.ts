import { Clock } from '../common/clock';

/**
 * A clock that can be set to a fixed time. Used to create the demo data in the past, before the service accepts
 * requests.
 */
export class DemoClock extends Clock {
  #fixedMs?: number;

  override now(): Date {
    return this.#fixedMs === undefined ? super.now() : new Date(this.#fixedMs);
  }

  /** Stops the clock at `time`. */
  setTime(time: Date): void {
    this.#fixedMs = time.getTime();
  }

  /** Returns to the current time. */
  resume(): void {
    this.#fixedMs = undefined;
  }
}
