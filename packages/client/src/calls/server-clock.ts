import { monotonicNow } from '../environment.js';

/** The service's time of day. The clock of the machine may be wrong. */
export class ServerClock {
  #offset: number | undefined;

  /** @param serverTime `server_time` of a response or event that has just arrived */
  note(serverTime: string): void {
    this.#offset = Date.parse(serverTime) - monotonicNow();
  }

  /** Returns milliseconds since 1970. Uses the machine's clock until the service's time is known. */
  now(): number {
    return this.#offset === undefined ? Date.now() : monotonicNow() + this.#offset;
  }

  /** Returns the milliseconds until a time of the service. */
  until(time: string): number {
    return Date.parse(time) - this.now();
  }
}
