import { callboard } from '../../shared/callboard';

/** How far the service's time of day is ahead of the page's clock, at least; undefined before anything was heard. */
let ahead: number | undefined;

/** Each event tells when it came about; the machine's own clock may be wrong. */
callboard.events.subscribe({
  onEvent: ({ created_at }) => {
    const told = Date.parse(created_at) - performance.now();
    if (!Number.isNaN(told)) ahead = Math.max(ahead ?? told, told);
  },
});

/** The service's time of day, in milliseconds since 1970. */
export const serviceNow = (): number => (ahead === undefined ? Date.now() : ahead + performance.now());
