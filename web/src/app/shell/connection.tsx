import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { Icon } from '../icons';

/** Interruptions of the event stream shorter than this are not shown. */
const NOTICE_DELAY_MS = 2_500;

type ConnectionProblem = 'offline' | 'reconnecting';

/** Shows that the content may be out of date while there is no connection to the service. */
export function Connection() {
  const { t } = useTranslation('client');
  const problem = useConnectionProblem();
  return (
    <output className="connection">
      {problem !== undefined && (
        <span>
          <Icon name="offline" size={20} />
          {t(`shell.${problem}`)}
        </span>
      )}
    </output>
  );
}

function useConnectionProblem(): ConnectionProblem | undefined {
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const isLive = useSyncExternalStore(subscribeToStream, () => callboard.events.state === 'live');
  const [isAwayForLong, setAwayForLong] = useState(false);
  useEffect(() => {
    if (isLive) return undefined;
    const timer = setTimeout(() => setAwayForLong(true), NOTICE_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setAwayForLong(false);
    };
  }, [isLive]);
  if (!isOnline) return 'offline';
  return isAwayForLong && !isLive ? 'reconnecting' : undefined;
}

const subscribeToStream = (listener: () => void): (() => void) =>
  callboard.events.subscribe({ onState: listener });

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
