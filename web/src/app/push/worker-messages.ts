import { useEffect, useEffectEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { WorkerMessage } from '../../shared/worker-message';

/** Call that the user has accepted in a notification of the service worker, until its card is shown. */
let requested: number | undefined;
const listeners = new Set<() => void>();

/** Follows the clicks on notifications that the service worker hands to this page. Call it before the page has loaded. */
export function followWorkerMessages(): void {
  (navigator as Partial<Navigator>).serviceWorker?.addEventListener('message', ({ data }) => {
    const message = data as WorkerMessage | undefined;
    if (message?.type !== 'callboard.open') return;
    if (message.path !== undefined) navigate(message.path);
    if (message.answer === undefined) return;
    requested = message.answer;
    for (const listener of listeners) listener();
  });
}

/** Calls `onAnswer` once the user has accepted the call in a notification. */
export function useAnswerRequest(callId: number, onAnswer: () => void): void {
  const answer = useEffectEvent(onAnswer);
  useEffect(() => {
    const check = (): void => {
      if (requested !== callId) return;
      requested = undefined;
      answer();
    };
    check();
    listeners.add(check);
    return () => void listeners.delete(check);
  }, [callId]);
}
