import { useTranslation } from 'react-i18next';
import { Retry } from './retry';

interface Props {
  /** Why it could not be loaded; undefined or null: it is being loaded. */
  error: unknown;
  onRetry: () => void;
}

/** Stands in place of what is not there yet: it is being loaded, or why it could not be, and a button that tries again. */
export function NotLoaded({ error, onRetry }: Props) {
  const { t } = useTranslation();
  if (error === undefined || error === null) return <output className="list-note">{t('starting')}</output>;
  return (
    <div className="list-problem">
      <Retry error={error} onRetry={onRetry} />
    </div>
  );
}
