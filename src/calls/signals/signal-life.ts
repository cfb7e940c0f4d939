import { plusSeconds } from '../../common/clock';

/** Nobody connects by a signal older than this: whoever comes later asks anew (contract 17). */
export const SIGNAL_LIFE_SECONDS = 120;

/** Signals that were sent at this moment or before it are over now. */
export const signalHorizon = (now: Date): Date => plusSeconds(now, -SIGNAL_LIFE_SECONDS);
