import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../shared/i18n/i18n';
import { useFormat } from '../../format';
import { Icon } from '../../icons';
import { formatBytes } from './format-bytes';
import type { Upload } from './upload';
import { uploads } from './uploads';
import './uploads.css';

interface Props {
  upload: Upload;
  /** Whether its message is being sent, which can no longer change. */
  isBeingSent?: boolean;
}

/** A file that is not sent yet: preview, progress, and buttons to remove it and to try again. */
export function UploadTile({ upload, isBeingSent = false }: Props) {
  const { t } = useTranslation('client');
  const language = useLanguage();
  const { id, name, progress, error, uploaded } = upload;
  const isFailed = error !== undefined && !error.isTransient;
  return (
    <li className={isFailed ? 'upload failed-upload' : 'upload'}>
      <Preview upload={upload} />
      {uploaded === undefined && !isFailed && (
        <progress max={1} value={progress} aria-label={t('chat.uploads.progress', { name })} />
      )}
      {isFailed && (
        <button
          type="button"
          className="upload-retry"
          title={error.text(language)}
          aria-label={t('chat.uploads.retry', { name, reason: error.text(language) })}
          onClick={() => uploads.retry(id)}
        >
          <Icon name="retry" size={18} />
        </button>
      )}
      {!isBeingSent && (
        <button
          type="button"
          className="upload-remove"
          aria-label={t('chat.uploads.remove', { name })}
          onClick={() => uploads.cancel(id)}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </li>
  );
}

function Preview({ upload: { type, name, file, url, duration } }: { upload: Upload }) {
  const { t } = useTranslation('client');
  const format = useFormat();
  if (type === 'image') return <img src={url} alt={name} />;
  if (type === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a still picture of a file of the user
    return <video src={url} muted preload="metadata" aria-label={name} />;
  return (
    <span className="upload-file">
      <Icon name={type === 'audio' ? 'microphone' : 'file'} size={20} />
      <span>
        <strong>{duration === undefined ? name : t('chat.voice.message')}</strong>
        <small>
          {duration === undefined ? formatBytes(file.size, format.number) : format.duration(duration)}
        </small>
      </span>
    </span>
  );
}
