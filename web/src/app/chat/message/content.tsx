import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { safeUrl, Text } from './text';

/** Content of a message by its type; its one-line text if the type or URL cannot be rendered. */
export function Content({ message, name }: { message: MessageResponse; name: string }) {
  const { t } = useTranslation('client');
  const { type, content, extra } = message;
  if (message.is_deleted) return <p>{t('chat.deleted')}</p>;
  if (message.is_recalled)
    return <p>{message.is_self ? t('chat.recalledByMe') : t('chat.recalledBy', { name })}</p>;
  if (type === 'text') return <Text text={content} />;
  if (type === 'location') return <Location content={content} title={textOf(extra, 'title')} />;
  const url = mediaUrl(content);
  if (url === undefined) return <p>{message.display_content}</p>;
  const title = textOf(extra, 'name') ?? t(`conversations.types.${type}`);
  if (type === 'image')
    return (
      <a className="image" href={url} target="_blank" rel="noopener noreferrer">
        <img src={url} alt={title} loading="lazy" referrerPolicy="no-referrer" />
      </a>
    );
  if (type === 'audio')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- users send recordings without captions
    return <audio controls preload="none" src={url} aria-label={title} />;
  if (type === 'video')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
      <video
        controls
        preload="none"
        src={url}
        poster={mediaUrl(textOf(extra, 'poster') ?? '')}
        aria-label={title}
      />
    );
  if (type === 'file')
    return (
      <p>
        <a href={url} download={title} target="_blank" rel="noopener noreferrer">
          {title}
        </a>
      </p>
    );
  return <p>{message.display_content}</p>;
}

/** URLs of demo files, which are stored with the address of the machine that created the demo data. */
const DEMO_FILE = /^http:\/\/localhost:\d+(\/demo\/[\w.-]+)$/;

/** Returns a media URL that may be loaded; undefined for other schemes than http and https. Demo files load from this origin. */
const mediaUrl = (text: string): string | undefined => DEMO_FILE.exec(text)?.[1] ?? safeUrl(text);

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
