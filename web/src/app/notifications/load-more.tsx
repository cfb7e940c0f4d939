import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  isLoading: boolean;
  /** Whether the last request failed. Only a click sends the next one: the button may still be in view. */
  hasFailed: boolean;
  onMore: () => void;
}

/** Button that fetches more when it is scrolled into view or clicked. */
export function LoadMore({ isLoading, hasFailed, onMore }: Props) {
  const { t } = useTranslation(['client', 'shared']);
  const button = useRef<HTMLButtonElement>(null);
  const onReach = useEffectEvent(onMore);
  useEffect(() => {
    if (isLoading || hasFailed || button.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && onReach());
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading, hasFailed]);
  return (
    <button ref={button} type="button" className="quiet more" onClick={onMore}>
      {t(isLoading ? 'shared:starting' : 'notifications.more')}
    </button>
  );
}
