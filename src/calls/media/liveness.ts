import { plusSeconds } from '../../common/clock';

/** A terminal that has sent a signal counts as gone after this time without another signal or report (API 6.7). */
export const LEASE_SECONDS = 60;
/** A lease with more time left is not renewed, because a renewal costs a write. */
const RENEW_BELOW_SECONDS = 50;

/** Whether a lease must be started or renewed. `until` is null if there is no lease. */
export const isRenewalDue = (until: Date | null, now: Date): boolean =>
  until === null || until <= plusSeconds(now, RENEW_BELOW_SECONDS);
