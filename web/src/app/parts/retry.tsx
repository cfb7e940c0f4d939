import { useTranslation } from 'react-i18next';
import { Problem } from '../../shared/problem';
import { toCallboardError } from '../../shared/session';

/** Shows a loading error with a retry button. */
export function Retry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Problem error={toCallboardError(error)} />
      <button type="button" onClick={onRetry}>
        {t('retry')}
      </button>
    </>
  );
}
