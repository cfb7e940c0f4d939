import { Injectable } from '@nestjs/common';

/** The only source of the current time, so that tests can set it. */
@Injectable()
export class Clock {
  /** Milliseconds that `now` adds to the machine's time. */
  correctionMs = 0;

  /** Returns the machine's time plus the correction. */
  now(): Date {
    return new Date(this.machineTime() + this.correctionMs);
  }

  /** Returns the time of this machine's clock in milliseconds since 1970. */
  machineTime(): number {
    return Date.now();
  }
}

/** Returns `date` plus a number of seconds. */
export const plusSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
