import { Clock } from '../common/clock';

/** A clock that can pretend another moment: while the demonstration's past is made, before anybody is served. */
export class DemoClock extends Clock {
  #pretended?: number;

  override now(): Date {
    return this.#pretended === undefined ? super.now() : new Date(this.#pretended);
  }

  /** From now on it is `moment`, and stays so. */
  pretend(moment: Date): void {
    this.#pretended = moment.getTime();
  }

  /** From now on it is the present again. */
  resume(): void {
    this.#pretended = undefined;
  }
}
