import {
  type ClipboardEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';
import { ErrorMessage } from '../../../shared/error-message';
import { isComposing } from '../../../shared/is-composing';
import { useUser } from '../../../shared/sign-in/user-context';
import { Icon } from '../../icons';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useOpenChat } from '../chat-context';
import { useUndeliveredText } from '../use-undelivered-text';
import { EmojiButton } from '../emoji/emoji-button';
import { allowed } from '../message/allowed';
import { UploadTile } from '../uploads/upload-tile';
import { uploads } from '../uploads/uploads';
import { useAttached } from '../uploads/use-uploads';
import { canRecord } from '../voice/can-record';
import { AttachButton } from './attach-button';
import { ComposerContext } from './composer-context';
import { type Insertion, insertText, wrapSelection } from './insert-text';
import { MentionPicker } from './mention-picker';
import { toTextMessage } from './to-text-message';
import { useMentionPicker } from './use-mention-picker';
import { useTypingSignal } from './use-typing-signal';
import type { ComposerState } from './use-composer';
import { Voice } from './voice';
import './composer.css';

/** The length is shown when fewer characters than this are left. */
const NEAR_LIMIT = 200;
const TOUCH = '(pointer: coarse)';

interface Props {
  composer: ComposerState;
  onAttach: (files: readonly File[]) => void;
  onSent: () => void;
}

/**
 * Message input: Enter sends, Shift+Enter inserts a line break, @ mentions members of a group, ↑ edits the last message. Files are
 * attached by a button and from the clipboard.
 */
export function Composer({ composer, onAttach, onSent }: Props) {
  const { t } = useTranslation('client');
  const { conversation, messages } = useOpenChat();
  const { draft, editing, change, reset, beginEdit, endEdit, focusRequest } = composer;
  const id = useId();
  const userId = useUser().id;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const config = useClientConfig();
  const limit = config?.limits.message_length ?? Infinity;
  const length = Array.from(draft.text).length;
  const attached = useAttached(conversation.id);
  const [isRecording, setRecording] = useState(false);
  const isEditing = editing !== undefined;
  const hasText = draft.text.trim() !== '';
  const hasFiles = attached.length > 0 && !isEditing;
  const canSend = (hasText || hasFiles) && length <= limit;
  const signal = useTypingSignal(conversation.id);
  const picker = useMentionPicker({ conversation, draft, change, textarea, isDisabled: isEditing });
  const edit = useServiceMutation(
    (messageId: number, content: string) =>
      callboard.messages.edit({ path: { id: messageId }, body: { content } }),
    { isSerial: true },
  );
  const undelivered = useUndeliveredText(conversation.is_group ? undefined : edit.error);

  useEffect(() => {
    // On touch devices the focus would open the on-screen keyboard, so it needs a request.
    if (focusRequest > 0 || !matchMedia(TOUCH).matches) textarea.current?.focus();
  }, [focusRequest]);

  // The result of an edit does not belong to the next one, which may be written before the first one is saved.
  const clearResult = useEffectEvent(() => edit.reset());
  const editingId = editing?.id;
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs when another edit begins
  useEffect(() => clearResult(), [editingId]);

  const submit = (): void => {
    if (!canSend || edit.isPending) return;
    signal(false);
    if (isEditing) {
      const { id: messageId } = editing;
      const { text } = draft;
      void edit.run(messageId, text).then((done) => done && endEdit(messageId, text));
      return;
    }
    const request = toTextMessage(draft);
    // The text follows the files, however long these take.
    if (hasFiles)
      uploads.send(conversation.id, {
        replyToId: draft.replyTo?.id ?? null,
        ...(hasText && { caption: { ...request, reply_to_id: undefined } }),
      });
    else void messages.send(request);
    reset();
    onSent();
  };
  const cancel = (): void => {
    if (isEditing) reset();
    else change({ replyTo: null });
  };
  const insert = ({ text, start, end }: Insertion): void => {
    change({ text });
    requestAnimationFrame(() => {
      textarea.current?.focus();
      textarea.current?.setSelectionRange(start, end);
    });
  };
  const editLast = (): boolean => {
    const last = messages.getSnapshot()?.messages.find((message) => allowed(message, config?.limits).edit);
    if (draft.text !== '' || isEditing || last === undefined) return false;
    beginEdit(last);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // An Enter that ends an IME composition (Chinese, Japanese, Korean) selects a word.
    if (isComposing(event)) return;
    if (picker.onKeyDown(event)) return;
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const wrapped =
      (ctrlKey || metaKey) && !altKey && !shiftKey ? wrapSelection(event.currentTarget, key) : undefined;
    if (wrapped !== undefined) {
      event.preventDefault();
      insert(wrapped);
    } else if (key === 'Enter' && !shiftKey) {
      event.preventDefault();
      submit();
    } else if (key === 'ArrowUp' && !shiftKey && editLast()) event.preventDefault();
    else if (key === 'Escape' && (isEditing || draft.replyTo !== null)) cancel();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    // Text programs add a picture of the text.
    if (files.length === 0 || isEditing || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    onAttach(files);
  };

  if (isRecording)
    return (
      <Voice
        onDone={(recording) => {
          uploads.sendRecording(userId, conversation.id, {
            ...recording,
            replyToId: draft.replyTo?.id ?? null,
          });
          change({ replyTo: null });
          onSent();
        }}
        onClose={() => setRecording(false)}
      />
    );
  return (
    <form
      className="composer"
      aria-label={t('chat.write')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {edit.error !== undefined && <ErrorMessage error={edit.error} text={undelivered} />}
      <ComposerContext draft={draft} editing={editing} onCancel={cancel} />
      <MentionPicker picker={picker} />
      {hasFiles && (
        <ul className="uploads" aria-label={t('chat.uploads.attached')}>
          {attached.map((upload) => (
            <UploadTile key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      <div className="composer-line">
        {!isEditing && <AttachButton onAttach={onAttach} />}
        <EmojiButton
          onChoose={(emoji) => textarea.current !== null && insert(insertText(textarea.current, emoji))}
        />
        <textarea
          ref={textarea}
          id={id}
          rows={1}
          dir="auto"
          value={draft.text}
          aria-label={t('chat.message')}
          placeholder={t('chat.placeholder')}
          aria-describedby={`${id}-limit`}
          aria-invalid={length > limit}
          enterKeyHint="send"
          {...picker.attributes}
          onChange={({ target }) => {
            change({ text: target.value });
            picker.update(target);
            if (!isEditing) signal(target.value !== '');
          }}
          onSelect={({ currentTarget }) => picker.update(currentTarget)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {hasText || hasFiles || isEditing || !canRecord() ? (
          <button
            type="submit"
            className="primary icon-send"
            aria-label={isEditing ? t('chat.save') : t('chat.send')}
            disabled={!canSend || edit.isPending}
          >
            <Icon name={isEditing ? 'check' : 'send'} />
          </button>
        ) : (
          <button
            type="button"
            className="primary icon-send"
            aria-label={t('chat.voice.record')}
            onClick={() => setRecording(true)}
          >
            <Icon name="microphone" />
          </button>
        )}
      </div>
      <p id={`${id}-limit`} className={length > limit ? 'limit over' : 'limit'} aria-live="polite">
        {length > limit - NEAR_LIMIT && t('chat.length', { length, limit })}
      </p>
    </form>
  );
}
