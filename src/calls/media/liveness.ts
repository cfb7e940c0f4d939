import { plusSeconds } from '../../common/clock';
import { TIMINGS } from '../../common/timings';

/** Time in which a participant may come back after losing the connection (API 6.3). */
export const GRACE_SECONDS = 30;

/** A lease is not renewed within this time, because a renewal costs a write. */
const NOT_RENEWED_SECONDS = 10;

/** Returns the time until which a terminal that has just sent a signal or a report counts as connected. */
export const leaseFrom = (now: Date): Date => plusSeconds(now, TIMINGS.terminalLeaseMs / 1_000);

/** Whether a lease must be started or renewed. `until` is null if there is no lease. */
export const isRenewalDue = (until: Date | null, now: Date): boolean =>
  until === null || until <= plusSeconds(leaseFrom(now), -NOT_RENEWED_SECONDS);
