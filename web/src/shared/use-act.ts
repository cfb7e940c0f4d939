import { useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { queryClient } from './query-client';
import { toCallboardError } from './session';

export interface Act<Arguments extends unknown[]> {
  /** Answers whether it was done; false as well where it was being done already. */
  run: (...args: Arguments) => Promise<boolean>;
  isRunning: boolean;
  /** Whether the last time succeeded. */
  isDone: boolean;
  /** Why the last one failed that did; undefined since something was tried after that. */
  error: CallboardError | undefined;
  /** Forgets how the last time went. */
  clear: () => void;
}

/**
 * Something that changes the service: once at a time, however often it is clicked. `changes`: which queries see another thing
 * then, by the first part of their keys. `inTurn`: what comes while it is being done waits for its turn instead, for what may
 * be done twice, and is done to several things.
 */
export function useAct<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<unknown>,
  { changes = [], inTurn = false }: { changes?: readonly string[]; inTurn?: boolean } = {},
): Act<Arguments> {
  const [state, setState] = useState<Omit<Act<Arguments>, 'run' | 'clear'>>(IDLE);
  /** The last one, until it is over. */
  const last = useRef<Promise<CallboardError | undefined>>(undefined);
  const run = async (...args: Arguments): Promise<boolean> => {
    if (last.current !== undefined && !inTurn) return false;
    const mine = attempt(() => act(...args), last.current);
    last.current = mine;
    setState({ ...IDLE, isRunning: true });
    const error = await mine;
    if (last.current === mine) last.current = undefined;
    // What failed stays told when what waited behind it succeeds.
    setState((before) => ({
      isRunning: last.current !== undefined,
      isDone: error === undefined,
      error: error ?? before.error,
    }));
    // Whatever became of it, what is shown shall be true.
    for (const key of changes) void queryClient.invalidateQueries({ queryKey: [key] });
    return error === undefined;
  };
  return { ...state, run, clear: () => setState(IDLE) };
}

/** Does it once what came before is over; answers why it failed. */
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
