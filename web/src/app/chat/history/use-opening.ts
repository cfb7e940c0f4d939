import { useCallback, useEffect, useState } from 'react';
import type { CallboardError, ConversationResponse, LiveMessages, MessagesState } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';

/** A position in the history: the end, the first unread message, or a message. */
export type Place = 'end' | 'unread' | { messageId: number };

/** A requested position. Every request is a new object, so that a repeated request takes effect. */
export interface Wish {
  place: Place;
}

/** Unread messages start after the message with this id; null: with the first message. */
interface Unread {
  after: number | null;
}

export interface Opening {
  /** Whether the part of the history at which the chat opens is loaded. */
  isReady: boolean;
  /** The position to show. */
  wish: Wish;
  goTo: (place: Place) => void;
  /**
   * Position of the unread divider: the user's read position on the service when the chat was opened, or when messages arrived
   * unseen.
   */
  unread: Unread | undefined;
  /** Removes the divider, once the user has sent a message. */
  forgetUnread: () => void;
  /** Moves the divider to messages that arrived unseen. */
  noteUnread: (conversation: ConversationResponse) => void;
  problem: CallboardError | undefined;
}

/** Opens a chat at the first unread message, however far back it is, and loads the positions that are requested later. */
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
    // If the position cannot be loaded any more, the chat is shown at the end.
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

/** Whether the divider is before the loaded messages. */
function isFarBack(unread: Unread | undefined, { messages, hasOlder }: MessagesState): boolean {
  const oldest = messages.at(-1)?.id ?? 0;
  return unread !== undefined && unread.after !== null && hasOlder && unread.after < oldest;
}
