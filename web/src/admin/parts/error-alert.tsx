import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';

interface Props {
  /** Any thrown value. Nothing is shown if it is null or undefined. */
  error: unknown;
  /** Advice on what to do. */
  advice?: string;
  onRetry?: () => void;
}

/** Shows an error of the service or of the connection, with the request id for operators, and a button to retry. */
export function ErrorAlert({ error, advice, onRetry }: Props) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  if (error === null || error === undefined) return null;
  const { requestId, ...details } = toCallboardError(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={toCallboardError(error).text(language)}
      description={
        <>
          {advice}
          {requestId !== undefined && details.code !== 422 && (
            <div>{t('parts.request', { id: requestId })}</div>
          )}
        </>
      }
      action={onRetry && <Button onClick={onRetry}>{t('parts.retry')}</Button>}
    />
  );
}
