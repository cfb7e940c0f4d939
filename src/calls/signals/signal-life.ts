import { plusSeconds } from '../../common/clock';

/** Lifetime of a signal. A terminal that connects later requests a new offer (API 6.6). */
export const SIGNAL_LIFE_SECONDS = 120;

/** Returns the cut-off time: signals sent at or before it have expired. */
export const signalHorizon = (now: Date): Date => plusSeconds(now, -SIGNAL_LIFE_SECONDS);
