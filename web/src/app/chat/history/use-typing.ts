import { useEffect, useState } from 'react';
import { callboard } from '../../../shared/callboard';
import { useUser } from '../../../shared/sign-in/user-context';

/** How long a typing signal is valid (API 9.6). */
const EXPIRES_AFTER_MS = 6_000;

/** Returns the ids of the other members who are typing in a conversation. */
export function useTyping(conversationId: number): readonly number[] {
  const ownId = useUser().id;
  const [typing, setTyping] = useState<readonly number[]>([]);
  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>();
    const stop = (userId: number): void => {
      clearTimeout(timers.get(userId));
      timers.delete(userId);
      setTyping([...timers.keys()]);
    };
    const unsubscribe = callboard.events.subscribe({
      onEvent: (event) => {
        if (!('conversation_id' in event) || event.conversation_id !== conversationId) return;
        if (event.type === 'message.created') stop(event.message.sender_id);
        if (event.type !== 'conversation.typing' || event.user_id === ownId) return;
        stop(event.user_id);
        if (!event.typing) return;
        timers.set(
          event.user_id,
          setTimeout(() => stop(event.user_id), EXPIRES_AFTER_MS),
        );
        setTyping([...timers.keys()]);
      },
    });
    return () => {
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [conversationId, ownId]);
  return typing;
}
