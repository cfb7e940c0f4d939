import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SendMessageRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';
import { ErrorMessage } from '../../../shared/error-message';
import { Icon } from '../../icons';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useOpenChat } from '../chat-context';
import { useUndeliveredText } from '../use-undelivered-text';
import type { Draft } from '../drafts';
import { ComposerContext } from './composer-context';
import { MentionPicker } from './mention-picker';
import { useMentionPicker } from './use-mention-picker';
import { useTypingSignal } from './use-typing-signal';
import type { ComposerState } from './use-composer';
import './composer.css';

/** The length is shown when fewer characters than this are left. */
const NEAR_LIMIT = 200;
const TOUCH = '(pointer: coarse)';

interface Props {
  composer: ComposerState;
  onSent: () => void;
}

/** Message input: Enter sends, Shift+Enter inserts a line break, @ mentions members of a group. */
export function Composer({ composer, onSent }: Props) {
  const { t } = useTranslation('client');
  const { conversation, messages } = useOpenChat();
  const { draft, editing, change, reset, focusRequest } = composer;
  const id = useId();
  const textarea = useRef<HTMLTextAreaElement>(null);
  const limit = useClientConfig()?.limits.message_length ?? Infinity;
  const length = Array.from(draft.text).length;
  const canSend = draft.text.trim() !== '' && length <= limit;
  const signal = useTypingSignal(conversation.id);
  const picker = useMentionPicker({
    conversation,
    draft,
    change,
    textarea,
    isDisabled: editing !== undefined,
  });
  const edit = useServiceMutation((messageId: number, content: string) =>
    callboard.messages.edit({ path: { id: messageId }, body: { content } }),
  );
  const undelivered = useUndeliveredText(conversation.is_group ? undefined : edit.error);

  useEffect(() => {
    // On touch devices the focus would open the on-screen keyboard, so it needs a request.
    if (focusRequest > 0 || !matchMedia(TOUCH).matches) textarea.current?.focus();
  }, [focusRequest]);

  const submit = (): void => {
    if (!canSend) return;
    signal(false);
    if (editing !== undefined) {
      void edit.run(editing.id, draft.text).then((done) => done && reset());
      return;
    }
    void messages.send(toRequest(draft));
    reset();
    onSent();
  };
  const cancel = (): void => {
    edit.reset();
    if (editing === undefined) change({ replyTo: null });
    else reset();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An Enter that ends an IME composition (Chinese, Japanese, Korean) selects a word.
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    if (picker.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && (editing !== undefined || draft.replyTo !== null)) cancel();
  };

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
      <div className="composer-line">
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
            if (editing === undefined) signal(target.value !== '');
          }}
          onSelect={({ currentTarget }) => picker.update(currentTarget)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="primary icon-send"
          aria-label={editing === undefined ? t('chat.send') : t('chat.save')}
          disabled={!canSend || edit.isPending}
        >
          <Icon name={editing === undefined ? 'send' : 'check'} />
        </button>
      </div>
      <p id={`${id}-limit`} className={length > limit ? 'limit over' : 'limit'} aria-live="polite">
        {length > limit - NEAR_LIMIT && t('chat.length', { length, limit })}
      </p>
    </form>
  );
}

/** `keyCode` of keys during an IME composition. */
const COMPOSING = 229;

/** Converts a draft to a request, without the mentions whose name was removed from the text. */
function toRequest({ text, mentions, replyTo }: Draft): SendMessageRequest {
  const named = mentions.filter(({ name }) => text.includes(`@${name}`));
  const ids = [...new Set(named.flatMap(({ id }) => id ?? []))];
  return {
    type: 'text',
    content: text,
    ...(replyTo !== null && { reply_to_id: replyTo.id }),
    ...(ids.length > 0 && { mentions: ids }),
    ...(named.some(({ id }) => id === null) && { mention_all: true }),
  };
}
