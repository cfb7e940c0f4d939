import type { Conversation } from '@callboard/client';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { useClientConfig } from '../../shared/client-config';
import { useUrlState } from '../../shared/url-state';
import { Icon } from '../icons';
import { VirtualConversations } from '../lazy-parts';
import { useLive } from '../live';
import { useLiveError } from '../live-store';
import { useMe } from '../me';
import { NotLoaded } from '../parts/not-loaded';
import { type Presence, usePresence } from '../parts/presence';
import { ConversationRow } from './conversation-row';

/** Longer lists are rendered in part. */
const MAX_PLAIN_ROWS = 100;

export interface Rows {
  conversations: readonly Conversation[];
  openId: number | undefined;
  presence: Presence;
}

/** List of the user's conversations, updated live. */
export function ConversationList({ openId }: { openId: number | undefined }) {
  const { t } = useTranslation('client');
  const { conversations: list, conversationsState: state } = useLive();
  const error = useLiveError(list);
  const [isLoading, setLoading] = useState(false);
  const presence = usePresence(state?.conversations.flatMap(({ peer_id }) => peer_id ?? []) ?? []);
  if (state === undefined)
    return <NotLoaded error={error} onRetry={() => void list?.reload({ isUrgent: true })} />;
  const rows = { conversations: state.conversations, openId, presence };
  const loadMore = (): void => {
    setLoading(true);
    void list?.loadMore().finally(() => setLoading(false));
  };
  return (
    <>
      {state.conversations.length === 0 && <NoConversations />}
      {state.conversations.length > MAX_PLAIN_ROWS ? (
        <ErrorBoundary renderFailed={() => <PlainRows {...rows} />}>
          <Suspense fallback={<PlainRows {...rows} />}>
            <VirtualConversations {...rows} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <PlainRows {...rows} />
      )}
      <div className="list-end">
        {state.hasMore && (
          <button type="button" disabled={isLoading} onClick={loadMore}>
            {t('conversations.more')}
          </button>
        )}
        <Link href="/conversations?hidden=1">{t('conversations.hiddenOnes')}</Link>
      </div>
    </>
  );
}

function PlainRows({ conversations, openId, presence }: Rows) {
  const { t } = useTranslation('client');
  return (
    <ul className="conversations" aria-label={t('conversations.list')}>
      {conversations.map((conversation) => (
        <ConversationRow
          key={conversation.id}
          conversation={conversation}
          isOpen={conversation.id === openId}
          presence={presence.get(conversation.peer_id ?? 0)}
        />
      ))}
    </ul>
  );
}

/** Explains to a user without conversations how to start one. */
function NoConversations() {
  const { t } = useTranslation('client');
  const url = useUrlState();
  const { id, account } = useMe();
  const directory = useClientConfig()?.features.user_directory;
  return (
    <div className="empty">
      <Icon name="conversations" />
      <p>{t('conversations.nothing')}</p>
      {directory !== undefined && (
        <p>{t(`conversations.begin.${directory}`, { account: account ?? String(id) })}</p>
      )}
      {directory !== 'off' && (
        <button type="button" className="primary" onClick={() => url.set({ new: true })}>
          {t('conversations.start')}
        </button>
      )}
    </div>
  );
}
