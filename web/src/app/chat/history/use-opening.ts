import { useCallback, useEffect, useState } from 'react';
import type { CallboardError, ConversationResponse, LiveMessages, MessagesState } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';

/** Where to look: at the end, at what is unread, or at a message. */
export type Place = 'end' | 'unread' | { messageId: number };

/** A place that was asked for, each time another object. */
export interface Wish {
  place: Place;
}

/** What is unread begins after this message; null: with the first one. */
interface Unread {
  after: number | null;
}

export interface Opening {
  /** Whether that part of the history is there where the chat opens. */
  isReady: boolean;
  /** The place to show. */
  wish: Wish;
  goTo: (place: Place) => void;
  /** Where the divider stands: where the service says that one had read to when the chat was opened, or left. */
  unread: Unread | undefined;
  /** What is written now is answered: the divider has done its work. */
  forgetUnread: () => void;
  /** New messages came while nobody looked: the divider moves there. */
  noteUnread: (conversation: ConversationResponse) => void;
  problem: CallboardError | undefined;
}

/** Opens a chat at what is unread, however far back that is, and goes where one wants to go. */
export function useOpening(
  conversation: ConversationResponse,
  chat: LiveMessages,
  state: MessagesState,
): Opening {
  const [unread, setUnread] = useState<Unread | undefined>(() => unreadOf(conversation));
  const isFar = isFarBack(unread, state);
  const [isReady, setReady] = useState(!isFar);
  const [wish, setWish] = useState<Wish>({ place: unread === undefined ? 'end' : 'unread' });
  const [problem, setProblem] = useState<CallboardError>();

  const load = useCallback(
    async (place: Place): Promise<void> => {
      if (place === 'end') return chat.jumpToNewest();
      const id = place === 'unread' ? (unread?.after ?? undefined) : place.messageId;
      return id === undefined ? undefined : chat.jumpTo(id);
    },
    [chat, unread],
  );
  const goTo = useCallback(
    (place: Place): void => {
      setProblem(undefined);
      void load(place)
        .then(() => setWish({ place }))
        .catch((error: unknown) => setProblem(toCallboardError(error)));
    },
    [load],
  );
  useEffect(() => {
    // What cannot be jumped to any more is no reason to show nothing.
    if (!isReady)
      void load('unread').then(
        () => setReady(true),
        () => setReady(true),
      );
  }, [isReady, load]);
  const forgetUnread = useCallback(() => setUnread(undefined), []);
  const noteUnread = useCallback((now: ConversationResponse) => setUnread(unreadOf(now)), []);
  return { isReady, wish, goTo, unread, forgetUnread, noteUnread, problem };
}

const unreadOf = ({ unread_count, last_read_message_id }: ConversationResponse): Unread | undefined =>
  unread_count > 0 ? { after: last_read_message_id } : undefined;

/** Whether the divider lies before what is there. */
function isFarBack(unread: Unread | undefined, { messages, hasOlder }: MessagesState): boolean {
  const oldest = messages.at(-1)?.id ?? 0;
  return unread !== undefined && unread.after !== null && hasOlder && unread.after < oldest;
}
