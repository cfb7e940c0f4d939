import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation, PersonResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { Picture } from '../../shared/picture';
import { ErrorMessage } from '../../shared/error-message';
import { toCallboardError } from '../../shared/session';
import { useDebounced } from '../../shared/use-debounced';
import { useLive } from '../live';

const MAX_KEYWORD = 64;

interface Props {
  label: string;
  /** Renders the action for a person. */
  renderAction: (person: PersonResponse) => ReactNode;
  /** Renders the action for a chat. When given, groups are offered too. */
  renderChatAction?: (conversation: Conversation) => ReactNode;
}

/** Offers the user's chat partners, then the users that the service finds: by name, or by the complete account or id. */
export function PeopleSearch({ label, renderAction, renderChatAction }: Props) {
  const { t } = useTranslation('client');
  const id = useId();
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim());
  const directory = useClientConfig()?.features.user_directory;
  const { conversations: list, conversationsState: state } = useLive();
  const { data, error, isFetching } = useQuery({
    queryKey: ['people', keyword],
    queryFn: ({ signal }) => callboard.people.search({ query: { keyword }, signal }),
    enabled: keyword !== '' && directory !== 'off',
  });
  const found = keyword === '' ? [] : (data?.items ?? []);
  const all = state?.conversations ?? [];
  const chats = all.filter(
    ({ name, peer_id: peerId }) =>
      (peerId !== null || renderChatAction !== undefined) &&
      (includesText(name, typed.trim()) || found.some((person) => person.id === peerId)),
  );
  const others = found.filter((person) => all.every(({ peer_id: peerId }) => peerId !== person.id));
  const hint = {
    open: t('conversations.searchOpen'),
    exact: t('conversations.searchExact'),
    off: t('conversations.directoryOff'),
  };
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
        {directory !== undefined && hint[directory]}
      </p>
      <output className="hint">
        {isFetching && t('conversations.searching')}
        {!isFetching && keyword !== '' && chats.length + others.length === 0 && t('conversations.noResults')}
      </output>
      {error !== null && <ErrorMessage error={toCallboardError(error)} />}
      {chats.length > 0 && (
        <Choices label={t('conversations.known')}>
          {chats.map((chat) => (
            <Choice key={chat.id} name={chat.name} avatar={chat.avatar}>
              {renderChatAction?.(chat) ??
                (chat.peer_id !== null &&
                  renderAction({ id: chat.peer_id, name: chat.name, avatar: chat.avatar }))}
            </Choice>
          ))}
        </Choices>
      )}
      {state?.hasMore === true && (
        <button type="button" onClick={() => void list?.loadMore()}>
          {t('conversations.more')}
        </button>
      )}
      {others.length > 0 && (
        <Choices label={t('conversations.found')}>
          {others.map((person) => (
            <Choice key={person.id} name={person.name} avatar={person.avatar}>
              {renderAction(person)}
            </Choice>
          ))}
        </Choices>
      )}
    </search>
  );
}

const includesText = (name: string, part: string): boolean =>
  name.toLocaleLowerCase().includes(part.toLocaleLowerCase());

function Choices({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 id={id}>{label}</h3>
      <ul className="plain-list" aria-labelledby={id}>
        {children}
      </ul>
    </>
  );
}

interface ChoiceProps {
  name: string;
  avatar: string | null;
  children: ReactNode;
}

const Choice = ({ name, avatar, children }: ChoiceProps) => (
  <li>
    <Picture name={name} url={avatar} />
    <span className="grow">{name}</span>
    {children}
  </li>
);
