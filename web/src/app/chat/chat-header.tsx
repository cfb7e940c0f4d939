import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useFormat } from '../format';
import { Picture } from '../../shared/picture';
import { useCalls } from '../calls/call-context';
import { ConversationMenu } from '../conversations/conversation-menu';
import { Icon } from '../icons';
import { usePresence } from '../parts/presence';
import { useOpenChat } from './chat-context';
import { useSide } from './side/use-side';

/** Header of a chat: name, presence, call buttons and menu. */
export function ChatHeader() {
  const { t } = useTranslation('client');
  const { conversation, isBlocked, openDialog } = useOpenChat();
  const [, go] = useLocation();
  const format = useFormat();
  const { open } = useSide();
  const { name, avatar, is_group: isGroup, peer_id: peerId } = conversation;
  return (
    <header className="chat-header">
      <Link href="/conversations" className="icon-button back" aria-label={t('chat.back')}>
        <Icon name="back" />
      </Link>
      <Picture name={name} url={avatar} id={peerId ?? conversation.id} />
      <div className="chat-title">
        <h2>
          <button
            type="button"
            className="title-button"
            title={t('conversations.details')}
            onClick={() => open('details')}
          >
            {name}
          </button>
        </h2>
        {isGroup ? (
          <button type="button" className="subtitle" onClick={() => open('details')}>
            {t('conversations.membersCount', { count: conversation.member_count ?? 0 })}
          </button>
        ) : (
          <Presence userId={peerId} />
        )}
      </div>
      <button
        type="button"
        className="icon-button wide-only"
        aria-label={t('conversations.inChat')}
        title={t('conversations.inChat')}
        onClick={() => open('search')}
      >
        <Icon name="search" />
      </button>
      {peerId !== null && !isBlocked && <CallButtons userId={peerId} />}
      <ConversationMenu
        conversation={conversation}
        more={() => [
          { label: t('conversations.inChat'), act: () => open('search') },
          { label: t('conversations.details'), act: () => open('details') },
          ...(peerId === null
            ? []
            : [
                { label: t('contacts.profile'), act: () => go(`/contacts?person=${peerId}`) },
                {
                  label: t(isBlocked ? 'contacts.unblock' : 'contacts.block'),
                  act: () => openDialog({ kind: 'block' }),
                  isDangerous: !isBlocked,
                },
              ]),
          {
            label: t('chat.jumpToDate'),
            act: () => openDialog({ kind: 'date', date: format.date(new Date().toISOString()) }),
          },
          { label: t('attachments.shared'), act: () => openDialog({ kind: 'media' }) },
          { label: t('chat.clear'), act: () => openDialog({ kind: 'clear' }), isDangerous: true },
        ]}
      />
    </header>
  );
}

function Presence({ userId }: { userId: number | null }) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const presence = usePresence(userId === null ? [] : [userId]).get(userId ?? 0);
  if (presence === undefined) return <span className="subtitle" />;
  if (presence.online) return <span className="subtitle is-online">{t('conversations.online')}</span>;
  return (
    <span className="subtitle">
      {presence.last_seen_at === null
        ? t('chat.offline')
        : t('chat.lastSeen', { time: format.momentInText(presence.last_seen_at) })}
    </span>
  );
}

function CallButtons({ userId }: { userId: number }) {
  const { t } = useTranslation('client');
  const { place, isBusy } = useCalls();
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('chat.callAudio')}
        disabled={isBusy}
        onClick={() => void place(userId, 'audio')}
      >
        <Icon name="calls" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t('chat.callVideo')}
        disabled={isBusy}
        onClick={() => void place(userId, 'video')}
      >
        <Icon name="video" />
      </button>
    </>
  );
}
