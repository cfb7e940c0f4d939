import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  onRetry: () => void;
  /** Whether it stands in place of a whole screen, whose heading it is then. */
  isScreen?: boolean;
  /** Buttons beside the one that tries again. */
  children?: ReactNode;
}

/** States that a part of the page failed, and offers to try again; a network that comes back does so by itself. */
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
