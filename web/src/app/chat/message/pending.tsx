import { useTranslation } from 'react-i18next';
import type { PendingMessage } from '@callboard/client';
import { useLanguage } from '../../../shared/i18n/i18n';
import { useOpenChat } from '../chat-context';
import { UploadTile } from '../uploads/upload-tile';
import { uploads } from '../uploads/uploads';
import { useUploads } from '../uploads/use-uploads';
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
  const files = useUploads(conversation.id).filter(({ message }) => message?.clientMsgId === clientMsgId);
  const isBeingSent = error === undefined && files.every(({ uploaded }) => uploaded !== undefined);
  const undelivered = useUndeliveredText(conversation.is_group ? undefined : error);
  const isQuoteGone = error?.key === 'MESSAGE_NOT_FOUND' && body.reply_to_id !== undefined;
  const retry = (): void => {
    for (const { id, error: failure } of files) if (failure !== undefined) uploads.retry(id);
    void messages.retry(clientMsgId);
  };
  const discard = (): void => {
    uploads.discard(clientMsgId);
    messages.discard(clientMsgId);
  };
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
            {files.length > 0 && (
              <ul className="uploads">
                {files.map((upload) => (
                  <UploadTile key={upload.id} upload={upload} isBeingSent={isBeingSent} />
                ))}
              </ul>
            )}
            {body.type === 'text' && <Text text={body.content ?? ''} />}
          </div>
        </div>
        {error === undefined && hasStatus && <span className="read-state">{t('chat.sending')}</span>}
        {error !== undefined && (
          <div className="failed">
            <span>
              {undelivered ??
                (error.isTransient
                  ? t('chat.waiting')
                  : isQuoteGone
                    ? t('chat.quoteGone')
                    : t('chat.failed', { reason: error.text(language) }))}
            </span>
            {undelivered === undefined && (
              <button type="button" onClick={retry}>
                {t('chat.retry')}
              </button>
            )}
            <button type="button" onClick={discard}>
              {t('chat.discard')}
            </button>
          </div>
        )}
      </div>
    </article>
  );
}
