import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PersonResponse } from '@callboard/client';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { Dialog } from '../../parts/dialog';
import { PeopleSearch } from '../../parts/people-search';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { NewGroup } from './new-group';

/** Dialog that starts a single chat or a group. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('client');
  const [kind, setKind] = useState<'single' | 'group'>('single');
  return (
    <Dialog title={t('conversations.new')} onClose={onClose}>
      <fieldset className="switch kinds">
        <legend className="for-screen-readers">{t('conversations.kind')}</legend>
        {(['single', 'group'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={kind === each} onClick={() => setKind(each)}>
            {t(`conversations.${each}`)}
          </button>
        ))}
      </fieldset>
      {kind === 'single' ? <NewSingle /> : <NewGroup />}
    </Dialog>
  );
}

function NewSingle() {
  const { t } = useTranslation('client');
  const [, go] = useLocation();
  const open = useServiceMutation(async ({ id }: PersonResponse) => {
    const made = await callboard.conversations.create({ body: { type: 'single', peer_id: id } });
    go(`/conversations/${made.id}`);
  });
  return (
    <>
      <PeopleSearch
        label={t('conversations.searchLabel')}
        renderAction={(person) => (
          <button
            type="button"
            aria-label={t('conversations.chatWith', { name: person.name })}
            disabled={open.isPending}
            onClick={() => void open.run(person)}
          >
            {t('conversations.chat')}
          </button>
        )}
      />
      {open.error !== undefined && <ErrorMessage error={open.error} />}
    </>
  );
}
