import { useCallback, useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { toCallboardError } from '../../shared/session';

export interface Action<Arguments extends unknown[]> {
  /** Answers whether it was done; what failed stands in `problem`. */
  run: (...args: Arguments) => Promise<boolean>;
  isRunning: boolean;
  problem: CallboardError | undefined;
  clear: () => void;
}

/** Something that changes the service: once at a time, however often it is clicked. */
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
