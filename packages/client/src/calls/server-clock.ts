import { elapsed } from '../environment.js';

/** The service's time of day: the clock of the machine may be wrong. */
export class ServerClock {
  #offset: number | undefined;

  /** @param serverTime what an answer or an event has just told */
  note(serverTime: string): void {
    this.#offset = Date.parse(serverTime) - elapsed();
  }

  /** Milliseconds since 1970; by the machine's own clock before the service has told its. */
  now(): number {
    return this.#offset === undefined ? Date.now() : elapsed() + this.#offset;
  }

  /** Milliseconds until a moment of the service. */
  until(moment: string): number {
    return Date.parse(moment) - this.now();
  }
}
