import { useCallback, useRef, useState } from 'react';
import type { MessageResponse, UserEvent } from '@callboard/client';
import { useUser } from '../../../shared/sign-in/user-context';
import { useEvents } from '../../use-events';
import { type Draft, findDraft, saveDraft, toQuote } from '../drafts';

const EMPTY: Draft = { text: '', mentions: [], replyTo: null };

export interface ComposerState {
  draft: Draft;
  /** The sent message that is being edited; undefined while a new message is written. */
  editing: MessageResponse | undefined;
  /** Incremented to request the focus for the text box. */
  focusRequest: number;
  change: (changes: Partial<Draft>) => void;
  /** Clears the draft; during an edit, discards the edit and restores the draft. */
  reset: () => void;
  beginReply: (message: MessageResponse) => void;
  beginEdit: (message: MessageResponse) => void;
  /**
   * Ends the edit of a message that was saved, unless another edit or message has begun. Text that was typed after `saved`
   * begins a new message.
   */
  endEdit: (messageId: number, saved: string) => void;
}

interface Edit {
  message: MessageResponse;
  draft: Draft;
}

/** State of the composer of a conversation. Drafts are stored in the browser, edits are not. */
export function useComposer(conversationId: number): ComposerState {
  const userId = useUser().id;
  const [draft, setDraft] = useState<Draft>(() => findDraft(userId, conversationId) ?? EMPTY);
  /** The draft of this tab, which another tab may have replaced in the browser. */
  const latest = useRef(draft);
  const [edit, setEdit] = useState<Edit>();
  /** The edit at the end of a request that was sent in an earlier one. */
  const latestEdit = useRef<Edit>(undefined);
  const [focusRequest, setFocusRequest] = useState(0);

  const save = useCallback(
    (next: Draft): void => {
      latest.current = next;
      setDraft(next);
      saveDraft(userId, conversationId, next);
    },
    [userId, conversationId],
  );
  const saveEdit = useCallback((next: Edit | undefined): void => {
    latestEdit.current = next;
    setEdit(next);
  }, []);
  const requestFocus = useCallback((): void => setFocusRequest((count) => count + 1), []);
  // The service rejects replies to messages that were recalled or deleted.
  useEvents((event) => {
    if (draft.replyTo !== null && draft.replyTo.id === goneMessageId(event))
      save({ ...draft, replyTo: null });
  });
  const beginReply = useCallback(
    (message: MessageResponse): void => {
      saveEdit(undefined);
      save({ ...latest.current, replyTo: toQuote(message) });
      requestFocus();
    },
    [save, saveEdit, requestFocus],
  );
  const beginEdit = useCallback(
    (message: MessageResponse): void => {
      saveEdit({ message, draft: { ...EMPTY, text: message.content } });
      requestFocus();
    },
    [saveEdit, requestFocus],
  );
  return {
    draft: edit?.draft ?? draft,
    editing: edit?.message,
    focusRequest,
    change: (changes) =>
      edit === undefined
        ? save({ ...draft, ...changes })
        : saveEdit({ ...edit, draft: { ...edit.draft, ...changes } }),
    reset: () => {
      if (edit === undefined) save(EMPTY);
      else saveEdit(undefined);
      requestFocus();
    },
    beginReply,
    beginEdit,
    endEdit: (messageId, saved) => {
      const text = latestEdit.current?.draft.text ?? '';
      // The user continues the edit of a text that was changed in another place.
      if (latestEdit.current?.message.id !== messageId || !text.startsWith(saved)) return;
      saveEdit(undefined);
      if (text !== saved) save({ ...latest.current, text: latest.current.text + text.slice(saved.length) });
      requestFocus();
    },
  };
}

/** Returns the id of the message that an event recalls or deletes; undefined for other events. */
function goneMessageId(event: UserEvent): number | undefined {
  if (event.type === 'message.recalled') return event.message.id;
  return event.type === 'message.deleted' ? event.message_id : undefined;
}
