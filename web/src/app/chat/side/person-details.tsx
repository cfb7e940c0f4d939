import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Picture } from '../../../shared/picture';
import { CallButton } from '../../calls/call-button';
import { Icon } from '../../icons';
import { PresenceText, usePresence } from '../../parts/presence';
import { useOpenChat } from '../chat-context';
import { SettingsButtons } from './settings-buttons';

/** Details of a single chat: the peer, calls, settings, block. */
export function PersonDetails() {
  const { t } = useTranslation('client');
  const { conversation, isBlocked, openDialog } = useOpenChat();
  const { name, avatar, peer_id: peerId } = conversation;
  const presence = usePresence(peerId === null ? [] : [peerId]).get(peerId ?? 0);
  return (
    <div className="side-body">
      <div className="side-person">
        <Picture name={name} url={avatar} id={peerId ?? undefined} />
        <h3>{name}</h3>
        {!isBlocked && <PresenceText presence={presence} />}
        {isBlocked && <output className="soft">{t('contacts.isBlocked', { name })}</output>}
        {peerId !== null && <span className="soft">{t('contacts.number', { id: peerId })}</span>}
      </div>
      {peerId !== null && !isBlocked && (
        <div className="side-actions">
          <CallButton userId={peerId} name={name} mediaType="audio" />
          <CallButton userId={peerId} name={name} mediaType="video" />
        </div>
      )}
      <SettingsButtons />
      {peerId !== null && (
        <div className="side-links">
          <Link href={`/contacts?person=${peerId}`}>{t('contacts.profile')}</Link>
          <button
            type="button"
            className={isBlocked ? 'with-icon' : 'with-icon dangerous'}
            onClick={() => openDialog({ kind: 'block' })}
          >
            <Icon name="block" size={20} />
            {t(isBlocked ? 'contacts.unblock' : 'contacts.block')}
          </button>
        </div>
      )}
    </div>
  );
}
