import { useTranslation } from 'react-i18next';
import { formatSize } from '../../shared/format';
import { kindOf, type Medium } from './media';

/** A file with its name, kind and size; a link that downloads it. */
export function FileCard({ medium }: { medium: Medium }) {
  const { t, i18n } = useTranslation('client');
  const { url, name = t('conversations.types.file'), size } = medium;
  return (
    <a className="file-card" href={url} download={name} target="_blank" rel="noopener noreferrer">
      <span className="file-kind" aria-hidden="true">
        {kindOf(medium)}
      </span>
      <span className="file-name">{name}</span>
      {size !== undefined && <span className="file-size">{formatSize(size, i18n.language)}</span>}
    </a>
  );
}
