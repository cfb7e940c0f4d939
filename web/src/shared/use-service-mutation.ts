import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { queryClient } from './query-client';
import { toCallboardError } from './session';

export interface MutationOptions<Result = unknown> {
  /** First key parts of the queries to refetch afterwards. */
  changes?: readonly string[];
  /** Queues a run behind the running one instead of ignoring it; for mutations that are applied to several items. */
  isSerial?: boolean;
  /** Called after a success if the component is still mounted then: a dialog may have been closed meanwhile. */
  onDone?: (result: Result) => void;
  onError?: (error: CallboardError) => void;
}

export interface ServiceMutation<Arguments extends unknown[]> {
  /**
   * Resolves with whether the request succeeded, after the queries were refetched. Also false if the run was ignored
   * because another one was running.
   */
  run: (...args: Arguments) => Promise<boolean>;
  /** Whether a request is running or queued. The refetch is not included: it can take long without a network. */
  isPending: boolean;
  /** Whether the last run succeeded. */
  isSuccess: boolean;
  /** Error of the last failed run; cleared when a new run starts. */
  error: CallboardError | undefined;
  /** Clears the result of the last run. One that is still running reports no error here any more. */
  reset: () => void;
}

/** Runs a mutation of the service, at most one at a time, however often the control is clicked. */
export function useServiceMutation<Arguments extends unknown[], Result>(
  mutate: (...args: Arguments) => Promise<Result>,
  { changes = [], isSerial = false, onDone, onError }: MutationOptions<Result> = {},
): ServiceMutation<Arguments> {
  const id = useId();
  // Kept here, because TanStack Query drops the error of a failed run when a run queued behind it succeeds.
  const [error, setError] = useState<CallboardError>();
  const resets = useRef(0);
  const mutation = useMutation({
    mutationKey: [id],
    // The function is a variable of the run: TanStack Query calls the `mutationFn` of the latest render, which can concern
    // another object than the one that was confirmed when `run` was called.
    mutationFn: ([act, args]: [typeof mutate, Arguments]) => act(...args),
    scope: isSerial ? { id } : undefined,
    onMutate: () => resets.current,
    onError: (thrown, _, resetsBefore) => {
      const failure = toCallboardError(thrown);
      if (resetsBefore === resets.current) setError(failure);
      onError?.(failure);
    },
  });
  const run = async (...args: Arguments): Promise<boolean> => {
    // The cache is up to date at a second click, unlike `isPending` of the last render.
    if (!isSerial && queryClient.isMutating({ mutationKey: [id] }) > 0) return false;
    setError(undefined);
    const isDone = await mutation
      .mutateAsync([mutate, args], { onSuccess: (result) => onDone?.(result) })
      .then(
        () => true,
        () => false,
      );
    // Refetches after a failure too, because the request may have taken effect.
    await Promise.all(changes.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    return isDone;
  };
  const reset = (): void => {
    resets.current += 1;
    setError(undefined);
    mutation.reset();
  };
  return { run, reset, error, isPending: mutation.isPending, isSuccess: mutation.isSuccess };
}
