import { Injectable } from '@nestjs/common';

/** The only source of the present moment, so that tests can move it. */
@Injectable()
export class Clock {
  #correctionMs = 0;

  /** The machine's time as it has been corrected. */
  now(): Date {
    return new Date(this.machineTime() + this.#correctionMs);
  }

  /** What this machine's clock says, in milliseconds since 1970. */
  machineTime(): number {
    return Date.now();
  }

  /** How many milliseconds are added to the machine's time. */
  get correctionMs(): number {
    return this.#correctionMs;
  }

  set correctionMs(milliseconds: number) {
    this.#correctionMs = milliseconds;
  }
}

/** `date` moved by a number of seconds. */
export const plusSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
