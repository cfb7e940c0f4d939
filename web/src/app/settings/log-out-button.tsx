import { useTranslation } from 'react-i18next';
import { logOut } from '../../shared/session';
import { useCalls } from '../calls/call-context';

/** A log-out waits so long for the service to hear that one has hung up. */
const GOODBYE_MS = 3_000;

/** Logs out; of a call that goes on in this window first, or the other one would sit before a picture that stands still. */
export function LogOutButton() {
  const { t } = useTranslation('shared');
  const { session } = useCalls();
  const leave = async (): Promise<void> => {
    // What rings here may be answered elsewhere.
    if (session !== null && session.state !== 'ringing') {
      const hungUp = session.hangUp().catch(() => undefined);
      await Promise.race([hungUp, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS))]);
    }
    await logOut();
  };
  return (
    <button type="button" onClick={() => void leave()}>
      {t('logOut')}
    </button>
  );
}
