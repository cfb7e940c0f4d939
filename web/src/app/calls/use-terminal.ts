import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { CallboardError } from '@callboard/client';
import type { CallSession, CallTerminal } from '@callboard/client/calls';
import { idle } from '../../shared/parts/prefetch';
import { toCallboardError } from '../../shared/session';
import type { Calls } from './call-context';

/** A call that is being placed or could not be placed. */
export interface Attempt {
  userId: number;
  mediaType: 'audio' | 'video';
  /** Why the call could not be placed; undefined while it is being placed. */
  error?: CallboardError;
}

export interface Terminal extends Calls {
  attempt: Attempt | null;
  /** Cancels the call that is being placed, or dismisses the error of one that failed. */
  dropAttempt: () => void;
}

/**
 * Loads and opens the call terminal. It is a separate chunk, because the first screen does not need it.
 * @throws {CallboardError} network: the chunk did not load
 */
async function loadTerminal(): Promise<CallTerminal> {
  const { openTerminal } = await import('./call-terminal').catch((cause: unknown) => {
    throw new CallboardError('network', undefined, { cause });
  });
  return openTerminal();
}

/** Whether a call was placed or accepted in this window and has not ended. */
const isRunning = (session: CallSession | null): boolean =>
  session !== null && session.state !== 'ringing' && session.state !== 'ended';

/** Keeps this window's call terminal open while the component is mounted. Re-renders on every change of its call. */
export function useTerminal(): Terminal {
  const terminal = useRef<Promise<CallTerminal>>(undefined);
  const latest = useRef<Attempt>(undefined);
  const cancellation = useRef<AbortController>(undefined);
  const [session, setSession] = useState<CallSession | null>(null);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  // The session object stays the same while its state changes, so re-renders are forced.
  const [, rerender] = useReducer((count: number) => count + 1, 0);

  const open = useCallback((): Promise<CallTerminal> => {
    const opening: Promise<CallTerminal> = (terminal.current ??= loadTerminal().then(
      (opened) => {
        if (terminal.current === opening)
          opened.subscribe(() => {
            const current = opened.getSession();
            setSession(current);
            // The error of a failed attempt would otherwise replace the end of this call.
            if (isRunning(current) && latest.current?.error !== undefined) {
              latest.current = undefined;
              setAttempt(null);
            }
            rerender();
          });
        return opened;
      },
      (error: unknown) => {
        if (terminal.current === opening) terminal.current = undefined;
        throw error;
      },
    ));
    return opening;
  }, []);
  useEffect(() => {
    let isMounted = true;
    // A terminal that did not load is loaded with the next call or when the network returns.
    const listen = (): void => void open().catch(() => undefined);
    // The first screen goes first. A call that rings meanwhile is in the terminal's first snapshot.
    const listenWhenIdle = async (): Promise<void> => {
      await idle();
      if (isMounted) listen();
    };
    void listenWhenIdle();
    window.addEventListener('online', listen);
    return () => {
      isMounted = false;
      window.removeEventListener('online', listen);
      const opening = terminal.current;
      terminal.current = undefined;
      opening?.then((opened) => opened.close()).catch(() => undefined);
    };
  }, [open]);

  const updateAttempt = useCallback((next: Attempt | undefined): void => {
    latest.current = next;
    setAttempt(next ?? null);
  }, []);
  const place = useCallback<Calls['place']>(
    async (userId, mediaType, local) => {
      if (latest.current !== undefined && latest.current.error === undefined) {
        local?.stop();
        return;
      }
      const mine: Attempt = { userId, mediaType };
      updateAttempt(mine);
      const { signal } = (cancellation.current = new AbortController());
      try {
        const placed = await (await open()).place(userId, mediaType, local, signal);
        if (latest.current === mine) updateAttempt(undefined);
        // The user cancelled after the request was sent.
        else await placed.hangUp();
      } catch (error) {
        local?.stop();
        if (latest.current === mine) updateAttempt({ ...mine, error: toCallboardError(error) });
      }
    },
    [updateAttempt, open],
  );
  const dropAttempt = useCallback(() => {
    cancellation.current?.abort();
    updateAttempt(undefined);
  }, [updateAttempt]);

  const isCalling = session !== null && session.state !== 'ended';
  const isBusy = isCalling || (attempt !== null && attempt.error === undefined);
  return { session, isBusy, place, attempt, dropAttempt };
}
