import { useTranslation } from 'react-i18next';
import { Problem } from '../../shared/problem';
import { toCallboardError } from '../../shared/session';

/** Why something could not be fetched, and a button that asks for it again. */
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
