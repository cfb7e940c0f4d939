import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';
import { useLanguage } from './i18n/i18n';

/** Shows an error with its request id, by which operators find it in the log. `text` replaces both, if given. */
export function ErrorMessage({ error, text }: { error: CallboardError; text?: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div role="alert" className="problem">
      <p>{text ?? error.text(language)}</p>
      {text === undefined && error.requestId !== undefined && (
        <p className="request">{t('request', { id: error.requestId })}</p>
      )}
    </div>
  );
}
