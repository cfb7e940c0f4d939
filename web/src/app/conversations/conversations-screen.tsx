import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { PartFailed } from '../../shared/parts/part-failed';
import { useUrlState } from '../../shared/url-state';
import { FinderButton } from '../find/finder-button';
import { Icon } from '../icons';
import { ChatScreen, NewConversation } from '../lazy-parts';
import { LazyDialog } from '../parts/lazy-dialog';
import { TwoColumns } from '../shell/two-columns';
import { ConversationList } from './conversation-list';
import { HiddenConversations } from './hidden-conversations';
import './conversations.css';

/** Screen with the conversation list and the open chat. */
export function ConversationsScreen() {
  const { t } = useTranslation(['client', 'shared']);
  const { id } = useParams<{ id?: string }>();
  const url = useUrlState();
  const openId = id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
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
        list={
          url.text('hidden') === '1' ? (
            <HiddenConversations />
          ) : (
            <>
              <FinderButton />
              <ConversationList openId={openId} />
            </>
          )
        }
        detail={
          openId === undefined ? (
            <p className="nothing-chosen">{t('conversations.choose')}</p>
          ) : (
            <ErrorBoundary key={openId} renderFailed={(retry) => <ChatFailed onRetry={retry} />}>
              <Suspense fallback={<output className="waiting">{t('shared:starting')}</output>}>
                <ChatScreen conversationId={openId} />
              </Suspense>
            </ErrorBoundary>
          )
        }
        showsDetail={openId !== undefined}
      />
      {url.text('new') === '1' && (
        <LazyDialog>
          <NewConversation onClose={() => url.set({ new: false })} />
        </LazyDialog>
      )}
    </>
  );
}

/** Replaces a chat that failed, beside the list. The link back is for phones, which do not show the list. */
function ChatFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('client');
  return (
    <PartFailed onRetry={onRetry}>
      <Link href="/conversations">{t('chat.back')}</Link>
    </PartFailed>
  );
}
