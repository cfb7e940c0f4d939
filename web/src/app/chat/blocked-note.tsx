import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { setBlocked } from '../contacts/blocks';
import { useOpenChat } from './chat-context';

/** Replaces the composer of a single chat while the user has blocked the peer. */
export function BlockedNote() {
  const { t } = useTranslation('client');
  const { conversation } = useOpenChat();
  const { name, peer_id: peerId } = conversation;
  const unblock = useServiceMutation(async () => {
    if (peerId !== null) await setBlocked(peerId, false);
  });
  return (
    <div className="blocked-note">
      <p>
        <span>{t('chat.youBlocked', { name })}</span>
        <span aria-hidden="true">·</span>
        <button type="button" disabled={unblock.isPending} onClick={() => void unblock.run()}>
          {t('contacts.unblock')}
        </button>
      </p>
      {unblock.error !== undefined && <ErrorMessage error={unblock.error} />}
    </div>
  );
}
