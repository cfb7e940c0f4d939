import { useEffect } from 'react';
import { callboard } from '../../shared/callboard';

/** Keeps an event stream open, so that the viewer is among the users who are online. */
export function useOwnPresence(): void {
  useEffect(() => callboard.events.subscribe({}), []);
}
