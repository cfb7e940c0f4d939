import { callboard } from '../../shared/callboard';

/**
 * Largest observed difference between the service's time and `performance.now()`, in ms: a lower bound, because events arrive late.
 * Undefined before the first event.
 */
let serviceOffset: number | undefined;

/** Events contain the service's time. The clock of the user's machine may be wrong. */
callboard.events.subscribe({
  onEvent: ({ created_at }) => {
    const offset = Date.parse(created_at) - performance.now();
    if (!Number.isNaN(offset)) serviceOffset = Math.max(serviceOffset ?? offset, offset);
  },
});

/** Returns the service's time in milliseconds since 1970; the machine's time before the first event. */
export const serviceNow = (): number =>
  serviceOffset === undefined ? Date.now() : serviceOffset + performance.now();
