import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PersonResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { Picture } from '../../shared/picture';
import { Problem } from '../../shared/problem';
import { toCallboardError } from '../../shared/session';
import { useDebounced } from '../../shared/use-debounced';

const MAX_KEYWORD = 64;

interface Props {
  label: string;
  /** What can be done with somebody who was found. */
  renderAction: (person: PersonResponse) => ReactNode;
}

/** Finds people as the service lets one find them: by name, or by the whole account or id. */
export function PeopleSearch({ label, renderAction }: Props) {
  const { t } = useTranslation('client');
  const id = useId();
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim());
  const directory = useClientConfig()?.features.user_directory;
  const { data, error, isFetching } = useQuery({
    queryKey: ['people', keyword],
    queryFn: ({ signal }) => callboard.people.search({ query: { keyword }, signal }),
    enabled: keyword !== '' && directory !== 'off',
  });
  if (directory === 'off') return <p className="hint">{t('conversations.directoryOff')}</p>;
  return (
    <search>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={typed}
        maxLength={MAX_KEYWORD}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <p id={`${id}-hint`} className="hint">
        {t(directory === 'open' ? 'conversations.searchOpen' : 'conversations.searchExact')}
      </p>
      <output className="hint">
        {isFetching && t('conversations.searching')}
        {!isFetching && keyword !== '' && data?.items.length === 0 && t('conversations.nobody')}
      </output>
      {error !== null && <Problem error={toCallboardError(error)} />}
      {data !== undefined && keyword !== '' && data.items.length > 0 && (
        <ul className="plain-list" aria-label={t('conversations.found')}>
          {data.items.map((person) => (
            <li key={person.id}>
              <Picture name={person.name} url={person.avatar} />
              <span className="grow">{person.name}</span>
              {renderAction(person)}
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
