import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { MessageAttachments } from '../../attachments/message-attachments';
import { Text } from './text';

/** Content of a message by its type; its one-line text if the type or URL cannot be rendered. */
export function Content({ message, name }: { message: MessageResponse; name: string }) {
  const { t } = useTranslation('client');
  const { type, content, extra } = message;
  if (message.is_deleted) return <p>{t('chat.deleted')}</p>;
  if (message.is_recalled)
    return <p>{message.is_self ? t('chat.recalledByMe') : t('chat.recalledBy', { name })}</p>;
  if (type === 'text') return <Text text={content} />;
  if (type === 'location') return <Location content={content} title={textOf(extra, 'title')} />;
  return <MessageAttachments message={message} />;
}

function Location({ content, title }: { content: string; title: string | undefined }) {
  const { t } = useTranslation('client');
  const [latitude = '', longitude = ''] = content.split(',').map((part) => part.trim());
  const query = new URLSearchParams({ mlat: latitude, mlon: longitude });
  return (
    <p>
      <a
        href={`https://www.openstreetmap.org/?${query.toString()}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        {title ?? t('conversations.types.location')}
      </a>{' '}
      <span className="coordinates">
        {latitude}, {longitude}
      </span>
    </p>
  );
}

function textOf(extra: MessageResponse['extra'], name: string): string | undefined {
  const value = extra?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
