import type { UserEvent } from '@callboard/client';
import { useEffect, useEffectEvent } from 'react';
import { callboard } from '../shared/callboard';

/** Calls `onEvent` for every event of the user while the component is mounted. */
export function useEvents(onEvent: (event: UserEvent) => void): void {
  const handler = useEffectEvent(onEvent);
  useEffect(() => callboard.events.subscribe({ onEvent: (event) => handler(event) }), []);
}
