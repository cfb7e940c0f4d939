import { useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { queryClient } from './query-client';
import { toCallboardError } from './session';

export interface Act<Arguments extends unknown[]> {
  /** Returns whether the request succeeded; also false if it was ignored because one was running. */
  run: (...args: Arguments) => Promise<boolean>;
  isRunning: boolean;
  /** Whether the last run succeeded. */
  isDone: boolean;
  /** Error of the last failed run; cleared when a new run starts. */
  error: CallboardError | undefined;
  /** Clears the result of the last run. */
  clear: () => void;
}

/**
 * Runs a mutation of the service, at most one at a time, however often the control is clicked. `changes`: first key parts of the
 * queries to refetch afterwards. `inTurn`: a run is queued behind the running one instead of being ignored; for mutations that may
 * be repeated and are applied to several items.
 */
export function useAct<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<unknown>,
  { changes = [], inTurn = false }: { changes?: readonly string[]; inTurn?: boolean } = {},
): Act<Arguments> {
  const [state, setState] = useState<Omit<Act<Arguments>, 'run' | 'clear'>>(IDLE);
  /** The latest run, until it has finished. */
  const last = useRef<Promise<CallboardError | undefined>>(undefined);
  const run = async (...args: Arguments): Promise<boolean> => {
    if (last.current !== undefined && !inTurn) return false;
    const mine = attempt(() => act(...args), last.current);
    last.current = mine;
    setState({ ...IDLE, isRunning: true });
    const error = await mine;
    if (last.current === mine) last.current = undefined;
    // Keeps the error of a failed run when a run queued behind it succeeds.
    setState((before) => ({
      isRunning: last.current !== undefined,
      isDone: error === undefined,
      error: error ?? before.error,
    }));
    // Refetches after a failure too, because the request may have taken effect.
    for (const key of changes) void queryClient.invalidateQueries({ queryKey: [key] });
    return error === undefined;
  };
  return { ...state, run, clear: () => setState(IDLE) };
}

/** Runs `act` after the previous run has finished. Returns its error instead of throwing. */
async function attempt(
  act: () => Promise<unknown>,
  before: Promise<unknown> | undefined,
): Promise<CallboardError | undefined> {
  if (before !== undefined) await before;
  try {
    await act();
    return undefined;
  } catch (error) {
    return toCallboardError(error);
  }
}

const IDLE = { isRunning: false, isDone: false, error: undefined };
