import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { Icon } from '../../icons';
import type { Draft } from '../drafts';
import { quoteText } from '../message/quote';

interface Props {
  draft: Draft;
  editing: MessageResponse | undefined;
  onCancel: () => void;
}

/** Shows the message that is being replied to or edited. */
export function ComposerContext({ draft: { replyTo }, editing, onCancel }: Props) {
  const { t } = useTranslation('client');
  if (editing === undefined && replyTo === null) return null;
  return (
    <div className="composer-context">
      <div>
        <strong>
          {editing !== undefined
            ? t('chat.editing')
            : t('chat.replyingTo', { name: replyTo?.sender_name ?? `#${replyTo?.sender_id}` })}
        </strong>
        <span>
          {editing !== undefined ? editing.display_content : replyTo !== null && quoteText(replyTo, t)}
        </span>
      </div>
      <button type="button" className="icon-button" aria-label={t('chat.cancel')} onClick={onCancel}>
        <Icon name="close" />
      </button>
    </div>
  );
}
