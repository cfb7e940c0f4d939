import { callboard } from '../../shared/callboard';
import { ClockEstimate } from './clock-estimate';

const estimate = new ClockEstimate({ monotonic: () => performance.now(), wall: () => Date.now() });

/** Events contain the service's time. The clock of the user's machine may be wrong. */
callboard.events.subscribe({
  onEvent: ({ created_at }) => estimate.observe(Date.parse(created_at)),
});

/** Returns the service's time in milliseconds since 1970; the machine's time before the first event. */
export const serviceNow = (): number => estimate.now();
