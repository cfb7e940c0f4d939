import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../shared/error-message';
import { toCallboardError } from '../../shared/session';

/** Shows a loading error with a retry button. */
export function Retry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <ErrorMessage error={toCallboardError(error)} />
      <button type="button" onClick={onRetry}>
        {t('retry')}
      </button>
    </>
  );
}
