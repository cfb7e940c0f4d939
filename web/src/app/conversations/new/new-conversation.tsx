import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { Dialog } from '../../parts/dialog';
import { PeoplePicker } from '../../picker/people-picker';
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

/** Opens the chat with the chosen person, and creates it if there is none. */
function NewSingle() {
  const { t } = useTranslation('client');
  const [, go] = useLocation();
  const open = useServiceMutation(
    (id: number) => callboard.conversations.create({ body: { type: 'single', peer_id: id } }),
    { onDone: (made) => go(`/conversations/${made.id}`) },
  );
  return (
    <>
      <PeoplePicker
        label={t('conversations.searchLabel')}
        source="people"
        max={1}
        chosen={[]}
        onChange={([person]) => person !== undefined && void open.run(person.id)}
      />
      {open.error !== undefined && <ErrorMessage error={open.error} />}
    </>
  );
}
