import { useTranslation } from 'react-i18next';
import type { PendingMessage } from '@callboard/client';
import { useLanguage } from '../../../shared/i18n/i18n';
import { useOpenChat } from '../chat-context';
import { useUndeliveredText } from '../use-undelivered-text';
import { Text } from './text';

interface Props {
  pending: PendingMessage;
  rowKey: string;
  isFirst: boolean;
  /** Whether “Sending…” is shown while there is no error. */
  hasStatus: boolean;
}

/** A message of the user that the service has not stored yet. */
export function Pending({ pending: { clientMsgId, body, error }, rowKey, isFirst, hasStatus }: Props) {
  const { t } = useTranslation('client');
  const language = useLanguage();
  const { conversation, messages } = useOpenChat();
  const undelivered = useUndeliveredText(conversation.is_group ? undefined : error);
  return (
    <article
      className={isFirst ? 'message own first' : 'message own'}
      aria-label={t('chat.pendingLabel')}
      data-key={rowKey}
      tabIndex={-1}
    >
      <div className="message-body">
        <div className="bubble-line">
          <div className="bubble pending">
            <Text text={body.content ?? ''} />
          </div>
        </div>
        {error === undefined && hasStatus && <span className="read-state">{t('chat.sending')}</span>}
        {error !== undefined && (
          <div className="failed">
            <span>
              {undelivered ??
                (error.isTransient ? t('chat.waiting') : t('chat.failed', { reason: error.text(language) }))}
            </span>
            {undelivered === undefined && (
              <button type="button" onClick={() => void messages.retry(clientMsgId)}>
                {t('chat.retry')}
              </button>
            )}
            <button type="button" onClick={() => messages.discard(clientMsgId)}>
              {t('chat.discard')}
            </button>
          </div>
        )}
      </div>
    </article>
  );
}
