import { useCallback, useEffect, useRef } from 'react';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';

/** Minimum interval between typing signals: the service forwards at most one per interval (API 9.6). */
const MIN_INTERVAL_MS = 3_000;

/** Sends the typing state to the other members. Call the returned function with each change of the text. */
export function useTypingSignal(conversationId: number): (isTyping: boolean) => void {
  const isOn = useClientConfig()?.features.typing === true;
  const lastSent = useRef({ at: -Infinity, typing: false });
  const signal = useCallback(
    (typing: boolean): void => {
      const now = performance.now();
      const isDue =
        typing !== lastSent.current.typing || (typing && now - lastSent.current.at > MIN_INTERVAL_MS);
      if (!isOn || !isDue) return;
      lastSent.current = { at: now, typing };
      // A lost typing signal is outdated soon, so it is not retried.
      void callboard.conversations
        .setTyping({ path: { id: conversationId }, body: { typing } })
        .catch(() => undefined);
    },
    [isOn, conversationId],
  );
  useEffect(() => () => signal(false), [signal]);
  return signal;
}
