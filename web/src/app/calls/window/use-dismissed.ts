import { useCallback, useEffect, useRef, useState } from 'react';

const CHANNEL = 'callboard note of call';

/**
 * Returns the id of the call whose end note was closed last in any tab (null before the first), and a function that closes the note
 * of a call in all tabs. An unanswered call shows its note in every tab.
 */
export function useDismissed(): [number | null, (callId: number) => void] {
  const [dismissed, setDismissed] = useState<number | null>(null);
  const channel = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    opened.addEventListener('message', ({ data }: MessageEvent<number>) => setDismissed(data));
    channel.current = opened;
    return () => opened.close();
  }, []);
  const dismiss = useCallback((callId: number): void => {
    setDismissed(callId);
    channel.current?.postMessage(callId);
  }, []);
  return [dismissed, dismiss];
}
