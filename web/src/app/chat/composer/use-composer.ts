import { useCallback, useState } from 'react';
import type { MessageResponse } from '@callboard/client';
import { useUser } from '../../../shared/sign-in/user-context';
import { type Draft, draftOf, keepDraft, quoteOf } from '../drafts';

const EMPTY: Draft = { text: '', mentions: [], replyTo: null };

export interface ComposerState {
  draft: Draft;
  /** What is being edited in place of writing something new. */
  editing: MessageResponse | undefined;
  /** Counts up when the text box shall have the focus. */
  focusWish: number;
  change: (changes: Partial<Draft>) => void;
  /** Begins anew, with what was written before an edit. */
  reset: () => void;
  beginReply: (message: MessageResponse) => void;
  beginEdit: (message: MessageResponse) => void;
}

/** What is being written in a conversation; it is kept, but for edits. */
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
