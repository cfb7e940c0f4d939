import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  onRetry: () => void;
  /** Whether it replaces a whole screen, so that its text is the heading. Default: false. */
  isScreen?: boolean;
  /** Buttons beside the retry button. */
  children?: ReactNode;
}

/** Shows that a part of the page failed, with a retry button. Retries automatically when the network returns. */
export function PartFailed({ onRetry, isScreen = false, children }: Props) {
  const { t } = useTranslation();
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const listen = (): void => retry();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, []);
  return (
    <div role="alert" className="part-failed">
      {isScreen ? <h1>{t('partFailed')}</h1> : <p>{t('partFailed')}</p>}
      <div className="part-failed-buttons">
        <button type="button" onClick={onRetry}>
          {t('retry')}
        </button>
        {children}
      </div>
    </div>
  );
}
