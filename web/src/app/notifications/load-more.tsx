import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';

/** Button that fetches more when it is scrolled into view or clicked. */
export function LoadMore({ isLoading, onMore }: { isLoading: boolean; onMore: () => void }) {
  const { t } = useTranslation(['client', 'shared']);
  const button = useRef<HTMLButtonElement>(null);
  const onReach = useEffectEvent(onMore);
  useEffect(() => {
    if (isLoading || button.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && onReach());
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading]);
  return (
    <button ref={button} type="button" className="quiet more" onClick={onMore}>
      {t(isLoading ? 'shared:starting' : 'notifications.more')}
    </button>
  );
}
