import type { UserEvent } from '@callboard/client';
import { useEffect, useEffectEvent } from 'react';
import { callboard } from '../shared/callboard';

/** Hears of what happens to the user, as long as the component is there. */
export function useEvents(onEvent: (event: UserEvent) => void): void {
  const hear = useEffectEvent(onEvent);
  useEffect(() => callboard.events.subscribe({ onEvent: (event) => hear(event) }), []);
}
