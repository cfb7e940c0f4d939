import { useEffect } from 'react';
import { callboard } from '../../shared/callboard';

/** Keeps an event stream open, so that the signed-in user is online. */
export function useOwnPresence(): void {
  useEffect(() => callboard.events.subscribe({}), []);
}
