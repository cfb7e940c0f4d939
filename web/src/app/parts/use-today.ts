import { useCallback, useSyncExternalStore } from 'react';
import { useFormat } from '../../shared/format';

const EVERY_MS = 30_000;

function eachWhile(listener: () => void): () => void {
  const timer = setInterval(listener, EVERY_MS);
  return () => clearInterval(timer);
}

/** Today's date in the service's time zone, as it changes. */
export function useToday(): string {
  const format = useFormat();
  return useSyncExternalStore(
    eachWhile,
    useCallback(() => format.date(new Date().toISOString()), [format]),
  );
}
