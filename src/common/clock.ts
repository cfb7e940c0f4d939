import { Injectable } from '@nestjs/common';

/** The only source of the present moment, so that tests can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

/** `date` moved by a number of seconds. */
export const plusSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
