import { useTranslation } from 'react-i18next';
import type { MemberResponse, PersonResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { PeopleSearch } from '../../parts/people-search';
import { useServiceMutation } from '../../../shared/use-service-mutation';

interface Props {
  conversationId: number;
  members: readonly MemberResponse[];
  onAdded: () => void;
}

/** Adds members to a group. */
export function AddMembers({ conversationId, members, onAdded }: Props) {
  const { t } = useTranslation('client');
  const add = useServiceMutation(async ({ id }: PersonResponse) => {
    await callboard.conversations.addMembers({ path: { id: conversationId }, body: { user_ids: [id] } });
    onAdded();
  });
  return (
    <>
      <h3>{t('conversations.addMembers')}</h3>
      <PeopleSearch
        label={t('conversations.searchLabel')}
        renderAction={(person) => (
          <button
            type="button"
            aria-label={t('conversations.addName', { name: person.name })}
            disabled={add.isPending || members.some(({ user_id }) => user_id === person.id)}
            onClick={() => void add.run(person)}
          >
            {t('conversations.add')}
          </button>
        )}
      />
      {add.error !== undefined && <ErrorMessage error={add.error} />}
    </>
  );
}
