import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CallboardError, ConversationResponse, LiveMessages, MessagesState } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';
import { useFirstMessage, useRequestedMessage } from '../side/use-requested-message';

const NOT_FOUND = 404;

/** A position in the history: the end, the first unread message, or a message, which gets the focus unless `keepsFocus`. */
export type Position = 'end' | 'unread' | { messageId: number; keepsFocus?: boolean };

/** A requested position. Every request is a new object, so that a repeated request takes effect. */
export interface ScrollTarget {
  position: Position;
}

/** Unread messages start after the message with this id; null: with the first message. */
interface Unread {
  after: number | null;
}

export interface ChatPosition {
  /** Whether the part of the history at which the chat opens is loaded. */
  isReady: boolean;
  /** The position to show. */
  target: ScrollTarget;
  goTo: (position: Position) => void;
  /**
   * Position of the unread divider: the user's read position on the service when the chat was opened, or when messages arrived
   * unseen.
   */
  unread: Unread | undefined;
  /** Removes the divider, once the user has sent a message. */
  clearUnread: () => void;
  /** Moves the divider to messages that arrived unseen. */
  updateUnread: (conversation: ConversationResponse) => void;
  error: CallboardError | undefined;
}

/**
 * Opens a chat at the message in the address, else at the first unread one, however far back it is, and loads the positions that
 * are requested later.
 */
export function useChatPosition(
  conversation: ConversationResponse,
  chat: LiveMessages,
  state: MessagesState,
): ChatPosition {
  const [unread, setUnread] = useState<Unread | undefined>(() => toUnread(conversation));
  const isFar = isFarBack(unread, state);
  const first = useFirstMessage();
  const [isReady, setReady] = useState(!isFar && first === undefined);
  const usual = unread === undefined ? 'end' : 'unread';
  const [target, setTarget] = useState<ScrollTarget>({
    position: first === undefined ? usual : { messageId: first },
  });
  const [error, setError] = useState<CallboardError>();

  /** Number of requests by `goTo`. Only the latest one moves the history or shows its error. */
  const requests = useRef(0);

  const load = useCallback(
    async (position: Position, isLatest: () => boolean): Promise<void> => {
      if (position === 'end') return chat.jumpToNewest();
      if (position !== 'unread') return chat.jumpTo(position.messageId);
      if (unread === undefined) return undefined;
      if (unread.after === null) return chat.jumpToOldest();
      return chat.jumpTo(unread.after).catch((error: unknown) => {
        // The last read message was cleared with the history, so the first message that is left is unread.
        if (toCallboardError(error).code !== NOT_FOUND || !isLatest()) throw error;
        return chat.jumpToOldest();
      });
    },
    [chat, unread],
  );
  const goTo = useCallback(
    (position: Position): void => {
      const request = (requests.current += 1);
      const isLatest = (): boolean => request === requests.current;
      setError(undefined);
      void load(position, isLatest)
        .then(() => isLatest() && setTarget({ position }))
        .catch((error: unknown) => isLatest() && setError(toCallboardError(error)));
    },
    [load],
  );
  useRequestedMessage((messageId) => goTo({ messageId }));
  const open = useEffectEvent((): void => {
    const isLatest = (): boolean => requests.current === 0;
    void load(first === undefined ? 'unread' : { messageId: first }, isLatest).then(
      () => setReady(true),
      (error: unknown) => {
        // If the position cannot be loaded any more, the chat is shown at the end.
        if (first !== undefined && isLatest()) {
          setError(toCallboardError(error));
          setTarget({ position: 'end' });
        }
        setReady(true);
      },
    );
  });
  useEffect(() => {
    if (!isReady) open();
  }, [isReady]);
  const clearUnread = useCallback(() => setUnread(undefined), []);
  const updateUnread = useCallback((now: ConversationResponse) => setUnread(toUnread(now)), []);
  return { isReady, target, goTo, unread, clearUnread, updateUnread, error };
}

const toUnread = ({ unread_count, last_read_message_id }: ConversationResponse): Unread | undefined =>
  unread_count > 0 ? { after: last_read_message_id } : undefined;

/** Whether the divider is before the loaded messages. */
function isFarBack(unread: Unread | undefined, { messages, hasOlder }: MessagesState): boolean {
  const oldest = messages.at(-1)?.id ?? 0;
  return unread !== undefined && hasOlder && (unread.after ?? 0) < oldest;
}
