import { createContext, useContext } from 'react';
import type { CallSession, LocalMedia } from '@callboard/client/calls';

export interface Calls {
  /** The call that rings or is in progress in this window, or the last one that ended; null before the first. */
  session: CallSession | null;
  /** Whether a call rings, is being placed or is in progress in this window; no other call can be placed meanwhile. */
  isBusy: boolean;
  /**
   * Calls a user. `local`: media that are open already, from a preview. Resolves when the call rings or could not be placed. Never rejects: `CallLayer` shows the error and what to do
   * about it.
   */
  place: (userId: number, mediaType: 'audio' | 'video', local?: LocalMedia) => Promise<void>;
}

export const CallsContext = createContext<Calls | null>(null);

/** Returns the call of this window and the function that places one. */
export function useCalls(): Calls {
  const calls = useContext(CallsContext);
  if (calls === null) throw new Error('Outside of CallLayer');
  return calls;
}
