import { useTranslation } from 'react-i18next';
import { Retry } from './retry';

interface Props {
  /** Why the data could not be loaded; undefined or null while it is loading. */
  error: unknown;
  onRetry: () => void;
}

/** Shows that data is loading, or the error with a retry button. */
export function NotLoaded({ error, onRetry }: Props) {
  const { t } = useTranslation();
  if (error === undefined || error === null) return <output className="list-note">{t('starting')}</output>;
  return (
    <div className="list-problem">
      <Retry error={error} onRetry={onRetry} />
    </div>
  );
}
