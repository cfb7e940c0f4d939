import { createContext, useContext } from 'react';
import type { CallSession } from '@callboard/client/calls';

export interface Calls {
  /** The call that rings or goes on in this window, or has ended last; null before the first. */
  session: CallSession | null;
  /** Whether one rings, begins or goes on in this window: another one cannot be placed meanwhile. */
  isBusy: boolean;
  /**
   * Calls somebody. Resolves when it rings, or could not be placed; why not, and what to do about it, `CallLayer` shows itself:
   * this never rejects.
   */
  place: (userId: number, mediaType: 'audio' | 'video') => Promise<void>;
}

export const CallsContext = createContext<Calls | null>(null);

/** The calls of this window, for whatever shows somebody who can be called. */
export function useCalls(): Calls {
  const calls = useContext(CallsContext);
  if (calls === null) throw new Error('Outside of CallLayer');
  return calls;
}
