import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PersonResponse, uniqueId } from '@callboard/client';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';
import { Picture } from '../../../shared/picture';
import { ErrorMessage } from '../../../shared/error-message';
import { PeopleSearch } from '../../parts/people-search';
import { useServiceMutation } from '../../../shared/use-service-mutation';

/** Form that creates a group with the chosen users. */
export function NewGroup() {
  const { t } = useTranslation('client');
  const id = useId();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [members, setMembers] = useState<readonly PersonResponse[]>([]);
  // A retry after a lost response creates no second group.
  const [idempotencyKey] = useState(uniqueId);
  const limits = useClientConfig()?.limits;
  const create = useServiceMutation(async () => {
    const made = await callboard.conversations.create({
      body: { type: 'group', name: name.trim(), member_ids: members.map((member) => member.id) },
      idempotencyKey,
    });
    go(`/conversations/${made.id}`);
  });
  const without = ({ id: gone }: PersonResponse) => members.filter((member) => member.id !== gone);
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
      {members.length > 0 && <h3>{t('conversations.chosen')}</h3>}
      <ul className="plain-list" aria-label={t('conversations.chosen')} hidden={members.length === 0}>
        {members.map((member) => (
          <li key={member.id}>
            <Picture name={member.name} url={member.avatar} id={member.id} />
            <span className="grow">{member.name}</span>
            <button
              type="button"
              aria-label={t('conversations.removeName', { name: member.name })}
              onClick={() => setMembers(without(member))}
            >
              {t('conversations.remove')}
            </button>
          </li>
        ))}
      </ul>
      <h3>{t('conversations.addMembers')}</h3>
      <PeopleSearch
        label={t('conversations.searchLabel')}
        renderAction={(person) => (
          <button
            type="button"
            aria-label={t('conversations.addName', { name: person.name })}
            disabled={members.some((member) => member.id === person.id)}
            onClick={() => setMembers([...without(person), person])}
          >
            {t('conversations.add')}
          </button>
        )}
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
