import { Clock } from '../../src/common/clock';

/** A clock that runs ahead of the machine's by an adjustable time. */
export class AdjustableClock extends Clock {
  #aheadMs = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.#aheadMs);
  }

  /** Moves the clock forward. */
  advance(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }
}
