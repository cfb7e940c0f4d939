import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

type Value = string | number | boolean | null | undefined;

export interface UrlState {
  /** What the address says; undefined where it says nothing. */
  text: (name: string) => string | undefined;
  /** The same as a whole number; undefined of what is none. */
  number: (name: string) => number | undefined;
  /** Changes what is named and leaves the rest; null, undefined, false and '' take it out. `push`: back undoes it. */
  set: (changes: Record<string, Value>, how?: { push?: boolean }) => void;
}

/** Filters, pages and what is open: kept in the address, so that they survive a reload and can be sent to somebody. */
export function useUrlState(): UrlState {
  const [params, setParams] = useSearchParams();
  return useMemo(
    () => ({
      text: (name) => params.get(name) ?? undefined,
      number: (name) => {
        const value = params.get(name);
        return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
      },
      set: (changes, { push = false } = {}) =>
        setParams(
          (before) => {
            const after = new URLSearchParams(before);
            for (const [name, value] of Object.entries(changes)) {
              if (value === null || value === undefined || value === false || value === '')
                after.delete(name);
              else after.set(name, value === true ? '1' : String(value));
            }
            return after;
          },
          { replace: !push },
        ),
    }),
    [params, setParams],
  );
}
