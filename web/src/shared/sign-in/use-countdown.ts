import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** Returns the remaining seconds and a function that starts the countdown. Its clock is monotonic, unlike the time of day. */
export function useCountdown(): [left: number, start: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((endsAt - now) / SECOND_MS));
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setInterval(() => setNow(performance.now()), SECOND_MS / 4);
    return () => clearInterval(timer);
  }, [left]);
  const start = (seconds: number): void => {
    setNow(performance.now());
    setEndsAt(performance.now() + seconds * SECOND_MS);
  };
  return [left, start];
}

/** Formats seconds: `90` as `1:30`. */
export const asMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
