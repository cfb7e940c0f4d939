import { plusSeconds } from '../../common/clock';

/** A terminal that has sent a signal, and of which nothing is heard for so long, is gone (contract 17). */
export const LEASE_SECONDS = 60;
/** Renewing costs a write, so a lease with more than this left stays as it is. */
const RENEWED_FROM_SECONDS = 50;

/** Whether a lease is to be begun or renewed; `until`: null when there is none. */
export const isLeaseLow = (until: Date | null, now: Date): boolean =>
  until === null || until <= plusSeconds(now, RENEWED_FROM_SECONDS);
