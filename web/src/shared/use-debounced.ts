import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while: of what is typed, the service is asked for the last alone. */
export function useDebounced<T>(value: T, ms = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
