import { useTranslation } from 'react-i18next';
import { useLive } from '../live';
import { PeopleList } from './people-list';

/** With whom one has a chat of two. */
export function Known({ chosen }: { chosen: number | undefined }) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversationsState } = useLive();
  if (conversationsState === undefined) return <output className="list-note">{t('shared:starting')}</output>;
  const people = conversationsState.conversations.flatMap(({ peer_id, name, avatar }) =>
    peer_id === null ? [] : [{ id: peer_id, name, avatar }],
  );
  if (people.length === 0) return <p className="list-note">{t('contacts.knowsNobody')}</p>;
  return <PeopleList label={t('contacts.known')} people={people} chosen={chosen} />;
}
