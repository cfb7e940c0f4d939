import { useCallback, useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { toCallboardError } from '../../shared/session';

export interface Action<Arguments extends unknown[]> {
  /** Returns whether the action succeeded; also false if it was running already. The error is in `problem`. */
  run: (...args: Arguments) => Promise<boolean>;
  isRunning: boolean;
  problem: CallboardError | undefined;
  clear: () => void;
}

/** Runs an action at most once at a time, however often the control is clicked, and keeps its error. */
export function useAction<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<CallboardError>();
  const running = useRef(false);
  const run = async (...args: Arguments): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setRunning(true);
    setProblem(undefined);
    try {
      await act(...args);
      return true;
    } catch (error) {
      setProblem(toCallboardError(error));
      return false;
    } finally {
      running.current = false;
      setRunning(false);
    }
  };
  const clear = useCallback(() => setProblem(undefined), []);
  return { run, isRunning, problem, clear };
}
