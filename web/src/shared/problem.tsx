import { useTranslation } from 'react-i18next';
import type { CallboardError } from './errors';

/** What went wrong, in words, with the number by which an operator finds it where it is unexpected. */
export function Problem({ error }: { error: CallboardError }) {
  const { t } = useTranslation();
  const texts: Record<number, string> = {
    0: t('errors.offline'),
    401: t('errors.credentials'),
    429: t('errors.tooMany'),
    503: t('errors.unavailable'),
  };
  const known = texts[error.code];
  return (
    <div role="alert" className="problem">
      <p>{known ?? t('errors.unexpected', { message: error.message })}</p>
      {known === undefined && error.requestId !== undefined && (
        <p className="request">{t('errors.request', { id: error.requestId })}</p>
      )}
    </div>
  );
}
