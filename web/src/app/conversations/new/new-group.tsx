import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uniqueId } from '@callboard/client';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { PeoplePicker } from '../../picker/people-picker';
import type { Target } from '../../picker/use-targets';

/** Form that creates a group with the chosen users. */
export function NewGroup() {
  const { t } = useTranslation('client');
  const id = useId();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [members, setMembers] = useState<readonly Target[]>([]);
  // A retry after a lost response creates no second group.
  const [idempotencyKey] = useState(uniqueId);
  const limits = useClientConfig()?.limits;
  const create = useServiceMutation(
    () =>
      callboard.conversations.create({
        body: { type: 'group', name: name.trim(), member_ids: members.map((member) => member.id) },
        idempotencyKey,
      }),
    { onDone: (made) => go(`/conversations/${made.id}`) },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create.run();
      }}
    >
      <label htmlFor={id}>{t('conversations.groupName')}</label>
      <input
        id={id}
        value={name}
        required
        maxLength={limits?.conversation_name_length}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <h3>{t('conversations.addMembers')}</h3>
      <PeoplePicker
        label={t('conversations.searchLabel')}
        source="people"
        chosen={members}
        onChange={setMembers}
      />
      {create.error !== undefined && <ErrorMessage error={create.error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={create.isPending || name.trim() === ''}>
          {t('conversations.create')}
        </button>
      </div>
    </form>
  );
}
