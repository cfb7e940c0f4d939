import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../../shared/client-config';
import { useLive } from '../live';
import { useLiveError } from '../live-store';
import { NotLoaded } from '../parts/not-loaded';
import { PeopleList } from './people-list';

/** List of the peers of the user's single chats. */
export function ChatPartners({ selectedId }: { selectedId: number | undefined }) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversations, conversationsState } = useLive();
  const error = useLiveError(conversations);
  const isDirectoryOff = useClientConfig()?.features.user_directory === 'off';
  if (conversationsState === undefined)
    return <NotLoaded error={error} onRetry={() => void conversations?.reload({ isUrgent: true })} />;
  const people = conversationsState.conversations.flatMap(({ peer_id, name, avatar }) =>
    peer_id === null ? [] : [{ id: peer_id, name, avatar }],
  );
  if (people.length === 0)
    return (
      <p className="list-note">{t(isDirectoryOff ? 'conversations.begin.off' : 'contacts.knowsNobody')}</p>
    );
  return <PeopleList label={t('contacts.known')} people={people} selectedId={selectedId} />;
}
