import { useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { queryClient } from './query-client';
import { toCallboardError } from './session';

export interface Act<Arguments extends unknown[]> {
  /** Answers whether it was done; false as well while it is being done already. */
  run: (...args: Arguments) => Promise<boolean>;
  isRunning: boolean;
  /** Whether the last time succeeded. */
  isDone: boolean;
  /** Why the last time failed; undefined since it is tried again. */
  error: CallboardError | undefined;
  /** Forgets how the last time went. */
  clear: () => void;
}

/**
 * Something that changes the service: once at a time, however often it is clicked. `changes`: which queries see another thing
 * then, by the first part of their keys.
 */
export function useAct<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<unknown>,
  { changes = [] }: { changes?: readonly string[] } = {},
): Act<Arguments> {
  const [state, setState] = useState<Omit<Act<Arguments>, 'run' | 'clear'>>(IDLE);
  const isRunning = useRef(false);
  const run = async (...args: Arguments): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setState({ ...IDLE, isRunning: true });
    try {
      await act(...args);
      setState({ ...IDLE, isDone: true });
      return true;
    } catch (error) {
      setState({ ...IDLE, error: toCallboardError(error) });
      return false;
    } finally {
      isRunning.current = false;
      // Whatever became of it, what is shown shall be true.
      for (const key of changes) void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };
  return { ...state, run, clear: () => setState(IDLE) };
}

const IDLE = { isRunning: false, isDone: false, error: undefined };
