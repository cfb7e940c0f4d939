import { useCallback, useEffect, useRef, useState } from 'react';

const CHANNEL = 'callboard note of call';

/**
 * The call whose note of its end was closed, in whatever tab: one that nobody has answered leaves a note in each of them. Answers its
 * id, null before the first, and how to close the note of one everywhere.
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
