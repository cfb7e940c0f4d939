import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';

interface Props {
  /** Whatever was thrown; nothing is shown without. */
  error: unknown;
  /** What to do about it, in words. */
  advice?: string;
  onRetry?: () => void;
}

/** What the service refused or could not be asked, by which number an operator finds it, and another try. */
export function Refusal({ error, advice, onRetry }: Props) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  if (error === null || error === undefined) return null;
  const { requestId, ...refusal } = toCallboardError(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={toCallboardError(error).text(language)}
      description={
        <>
          {advice}
          {requestId !== undefined && refusal.code !== 422 && (
            <div>{t('parts.request', { id: requestId })}</div>
          )}
        </>
      }
      action={onRetry && <Button onClick={onRetry}>{t('parts.retry')}</Button>}
    />
  );
}
