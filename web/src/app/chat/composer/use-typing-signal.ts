import { useCallback, useEffect, useRef } from 'react';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';

/** The service passes on no more than one in this time (contract 16.2). */
const EVERY_MS = 3_000;

/** Tells the others whether one is writing; call the answered function with each change. */
export function useTypingSignal(conversationId: number): (isTyping: boolean) => void {
  const isOn = useClientConfig()?.features.typing === true;
  const told = useRef({ at: -Infinity, typing: false });
  const signal = useCallback(
    (typing: boolean): void => {
      const now = performance.now();
      const isNews = typing !== told.current.typing || (typing && now - told.current.at > EVERY_MS);
      if (!isOn || !isNews) return;
      told.current = { at: now, typing };
      // It is news of the moment: what does not get through is not told later.
      void callboard.conversations
        .setTyping({ path: { id: conversationId }, body: { typing } })
        .catch(() => undefined);
    },
    [isOn, conversationId],
  );
  useEffect(() => () => signal(false), [signal]);
  return signal;
}
