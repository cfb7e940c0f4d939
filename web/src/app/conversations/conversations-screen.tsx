import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'wouter';
import { useUser } from '../../shared/sign-in/user-context';
import { useUrlState } from '../../shared/url-state';
import { restoreOutbox } from '../chat/open-chats';
import { Icon } from '../icons';
import { TwoColumns } from '../shell/two-columns';
import { ConversationList } from './conversation-list';
import { HiddenConversations } from './hidden-conversations';
import { NewConversation } from './new/new-conversation';
import './conversations.css';

/** Loaded with the first chat that is opened. */
const ChatScreen = lazy(async () => ({ default: (await import('../chat/chat-screen')).ChatScreen }));

/** The chats, and the one that is open. */
export function ConversationsScreen() {
  const { t } = useTranslation(['client', 'shared']);
  const { id } = useParams<{ id?: string }>();
  const url = useUrlState();
  const user = useUser();
  const openId = id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
  useEffect(() => restoreOutbox(user.id), [user.id]);
  return (
    <>
      <TwoColumns
        title={t('screens.conversations')}
        actions={
          <button
            type="button"
            className="icon-button"
            aria-label={t('conversations.new')}
            onClick={() => url.set({ new: true })}
          >
            <Icon name="plus" />
          </button>
        }
        list={url.text('hidden') === '1' ? <HiddenConversations /> : <ConversationList openId={openId} />}
        detail={
          openId === undefined ? (
            <p className="nothing-chosen">{t('conversations.choose')}</p>
          ) : (
            <Suspense fallback={<output className="waiting">{t('shared:starting')}</output>}>
              <ChatScreen key={openId} conversationId={openId} />
            </Suspense>
          )
        }
        showsDetail={openId !== undefined}
      />
      {url.text('new') === '1' && <NewConversation onClose={() => url.set({ new: false })} />}
    </>
  );
}
