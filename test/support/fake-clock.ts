import { Clock } from '../../src/common/clock';

/** A clock that only moves when the test advances it. */
export class FakeClock extends Clock {
  #now: number;

  constructor(start: string) {
    super();
    this.#now = Date.parse(start);
  }

  override now(): Date {
    return new Date(this.#now);
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }

  set(moment: string): void {
    this.#now = Date.parse(moment);
  }
}
