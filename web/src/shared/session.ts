import { useSyncExternalStore } from 'react';
import { CallboardError, type UserResponse } from '@callboard/client';
import { callboard } from './callboard';
import { queryClient } from './query-client';

export type SessionState =
  | { status: 'starting' }
  | { status: 'signed-in'; user: UserResponse }
  | {
      status: 'signed-out';
      /** User whose session was ended by the service while the page was open; null after a log-out and before the first sign-in. */
      ended: UserResponse | null;
      /** Why the session could not be restored or ended; possibly temporary. */
      problem?: CallboardError;
      /** The operation that failed, which can be retried. */
      failed?: 'restore' | 'log-out';
    };

let state: SessionState = { status: 'starting' };
let lastUserId: number | undefined;
const listeners = new Set<() => void>();

function set(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

callboard.session.onChange((user, end) => {
  if (user === null) {
    const ended = state.status === 'signed-in' && end === 'refused' ? state.user : null;
    set({ status: 'signed-out', ended });
    return;
  }
  // Deletes the cached data of the previous user.
  if (lastUserId !== user.id)
    queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'client-config' });
  lastUserId = user.id;
  const wasRefused = state.status === 'signed-out' && state.ended !== null;
  set({ status: 'signed-in', user });
  // Queries that failed while the session was ended would otherwise show their error until the next refetch.
  if (wasRefused) void queryClient.invalidateQueries();
});

/** Restores the session of this browser, if there is one. */
export async function restoreSession(): Promise<void> {
  try {
    const user = await callboard.session.restore();
    if (user === null && state.status !== 'signed-out') set({ status: 'signed-out', ended: null });
  } catch (error) {
    if (state.status === 'signed-in') return;
    set({ status: 'signed-out', ended: null, problem: toCallboardError(error), failed: 'restore' });
  }
}

/** Logs out in all tabs. If the service cannot be reached, the state has a problem: the next visit would still be logged in. */
export async function logOut(): Promise<void> {
  try {
    await callboard.session.logOut();
    set({ status: 'signed-out', ended: null });
  } catch (error) {
    set({ status: 'signed-out', ended: null, problem: toCallboardError(error), failed: 'log-out' });
  }
}

/** Converts a thrown value to an error that pages can show. */
export const toCallboardError = (error: unknown): CallboardError =>
  error instanceof CallboardError
    ? error
    : new CallboardError('not_callboard', String(error), { cause: error });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the session state of the page, updated live. */
export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state);
