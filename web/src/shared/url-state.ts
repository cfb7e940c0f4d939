import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

type Value = string | number | boolean | null | undefined;

export interface UrlState {
  /** Returns a query parameter; undefined if it is missing. */
  text: (name: string) => string | undefined;
  /** Returns a query parameter as a non-negative integer; undefined if it is missing or not one. */
  number: (name: string) => number | undefined;
  /** Changes the named parameters; null, undefined, false and '' remove them. `push`: adds a history entry. Default: false. */
  set: (changes: Record<string, Value>, how?: { push?: boolean }) => void;
}

/** State in the query parameters of the URL (filters, page, open item), which survives a reload and can be shared as a link. */
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
