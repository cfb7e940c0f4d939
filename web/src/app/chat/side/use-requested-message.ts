import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useUrlState } from '../../../shared/url-state';

/** Returns the id of the message at which the chat opens: `?message=42` in the address; undefined if there is none. */
export function useFirstMessage(): number | undefined {
  const url = useUrlState();
  const [first] = useState(url.number('message'));
  return first;
}

/**
 * Calls `jumpTo` with a message that the address requests after the chat was opened. Removes the request from the address, so that
 * the same link works again.
 */
export function useRequestedMessage(jumpTo: (messageId: number) => void): void {
  const url = useUrlState();
  const requested = url.number('message');
  // The chat opens at the first one by itself.
  const isOpened = useRef(requested === undefined);
  const follow = useEffectEvent((messageId: number) => {
    if (isOpened.current) jumpTo(messageId);
    isOpened.current = true;
    url.set({ message: null });
  });
  useEffect(() => {
    if (requested !== undefined) follow(requested);
  }, [requested]);
}
