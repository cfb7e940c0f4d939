import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLive } from '../live';
import { usePresence } from '../parts/presence';
import { ConversationRow } from './conversation-row';

/** The chats in their order, as it changes. */
export function ConversationList({ openId }: { openId: number | undefined }) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversations: list, conversationsState: state } = useLive();
  const [isLoading, setLoading] = useState(false);
  const presence = usePresence(state?.conversations.flatMap(({ peer_id }) => peer_id ?? []) ?? []);
  if (state === undefined) return <output className="nothing-chosen">{t('shared:starting')}</output>;
  const loadMore = (): void => {
    setLoading(true);
    void list?.loadMore().finally(() => setLoading(false));
  };
  return (
    <>
      {state.conversations.length === 0 && <p className="nothing-chosen">{t('conversations.nothing')}</p>}
      <ul className="conversations" aria-label={t('conversations.list')}>
        {state.conversations.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            isOpen={conversation.id === openId}
            presence={presence.get(conversation.peer_id ?? 0)}
          />
        ))}
      </ul>
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
