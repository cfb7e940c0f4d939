import { useSyncExternalStore } from 'react';
import { CallboardError, type UserResponse } from '@callboard/client';
import { callboard } from './callboard';
import { queryClient } from './query-client';

export type SessionState =
  | { status: 'starting' }
  | { status: 'signed-in'; user: UserResponse }
  | {
      status: 'signed-out';
      /** Whose session has ended under their hands on this page; null after a log-out, and before anybody came. */
      ended: UserResponse | null;
      /** Why the session of an earlier visit could not be looked up, or ended, which may pass. */
      problem?: CallboardError;
      /** What could not be done; to be tried again. */
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
  // What was fetched for somebody else is nobody's business.
  if (lastUserId !== user.id)
    queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'client-config' });
  lastUserId = user.id;
  const wasRefused = state.status === 'signed-out' && state.ended !== null;
  set({ status: 'signed-in', user });
  // What was asked for in vain meanwhile would else be wrong until its turn comes.
  if (wasRefused) void queryClient.invalidateQueries();
});

/** Goes on with the session that this browser has, if any. */
export async function restoreSession(): Promise<void> {
  try {
    const user = await callboard.session.restore();
    if (user === null && state.status !== 'signed-out') set({ status: 'signed-out', ended: null });
  } catch (error) {
    if (state.status === 'signed-in') return;
    set({ status: 'signed-out', ended: null, problem: toCallboardError(error), failed: 'restore' });
  }
}

/** Logs out of all tabs. Until the service has heard of it, the next visit to this browser would be logged in. */
export async function logOut(): Promise<void> {
  try {
    await callboard.session.logOut();
    set({ status: 'signed-out', ended: null });
  } catch (error) {
    set({ status: 'signed-out', ended: null, problem: toCallboardError(error), failed: 'log-out' });
  }
}

/** Whatever was thrown, as an error that pages can show. */
export const toCallboardError = (error: unknown): CallboardError =>
  error instanceof CallboardError
    ? error
    : new CallboardError('not_callboard', String(error), { cause: error });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who is signed in on this page, as it changes. */
export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state);
