import { useCallback, useState } from 'react';
import type { MessageResponse } from '@callboard/client';
import { useUser } from '../../../shared/sign-in/user-context';
import { type Draft, draftOf, keepDraft, quoteOf } from '../drafts';

const EMPTY: Draft = { text: '', mentions: [], replyTo: null };

export interface ComposerState {
  draft: Draft;
  /** The sent message that is being edited; undefined while a new message is written. */
  editing: MessageResponse | undefined;
  /** Incremented to request the focus for the text box. */
  focusWish: number;
  change: (changes: Partial<Draft>) => void;
  /** Clears the draft; during an edit, discards the edit and restores the draft. */
  reset: () => void;
  beginReply: (message: MessageResponse) => void;
  beginEdit: (message: MessageResponse) => void;
}

/** State of the composer of a conversation. Drafts are stored in the browser, edits are not. */
export function useComposer(conversationId: number): ComposerState {
  const userId = useUser().id;
  const [draft, setDraft] = useState<Draft>(() => draftOf(userId, conversationId) ?? EMPTY);
  const [edit, setEdit] = useState<{ message: MessageResponse; draft: Draft }>();
  const [focusWish, setFocusWish] = useState(0);

  const keep = useCallback(
    (next: Draft): void => {
      setDraft(next);
      keepDraft(userId, conversationId, next);
    },
    [userId, conversationId],
  );
  const wishFocus = useCallback((): void => setFocusWish((count) => count + 1), []);
  const beginReply = useCallback(
    (message: MessageResponse): void => {
      setEdit(undefined);
      keep({ ...(draftOf(userId, conversationId) ?? EMPTY), replyTo: quoteOf(message) });
      wishFocus();
    },
    [keep, wishFocus, userId, conversationId],
  );
  const beginEdit = useCallback(
    (message: MessageResponse): void => {
      setEdit({ message, draft: { ...EMPTY, text: message.content } });
      wishFocus();
    },
    [wishFocus],
  );
  return {
    draft: edit?.draft ?? draft,
    editing: edit?.message,
    focusWish,
    change: (changes) =>
      edit === undefined
        ? keep({ ...draft, ...changes })
        : setEdit({ ...edit, draft: { ...edit.draft, ...changes } }),
    reset: () => {
      if (edit === undefined) keep(EMPTY);
      else setEdit(undefined);
      wishFocus();
    },
    beginReply,
    beginEdit,
  };
}
