import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { Picture } from '../../shared/picture';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Icon } from '../icons';
import { useLive } from '../live';
import { Dialog } from '../parts/dialog';
import { Listbox } from '../picker/listbox';
import { useListbox } from '../picker/use-listbox';
import { type Target, useTargets } from '../picker/use-targets';
import { Hit } from './hit';
import { countOf, NO_FILTER } from './message-filter';
import { MessageFilters } from './message-filters';
import { useMessageSearch } from './use-message-search';
import './finder.css';

/** Maximum length of a keyword, as in the service. */
const MAX_KEYWORD = 100;
/** Maximum numbers of chats and people, so that messages are visible without scrolling far. */
const MAX_CHATS = 6;
const MAX_PEOPLE = 5;

/** Address at which a chat opens at a message. */
const addressOf = (conversationId: number, messageId?: number): string =>
  `/conversations/${conversationId}${messageId === undefined ? '' : `?message=${messageId}`}`;

/** Dialog that finds chats, people and messages by one field. With a filter it finds messages only. */
export function Finder({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['client', 'find']);
  const [, go] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState(NO_FILTER);
  const { conversationsState: state } = useLive();
  const targets = useTargets(typed, 'chats');
  const messages = useMessageSearch({ typed, filter });
  // After the dialog has opened, which focuses its first button.
  useEffect(() => field.current?.focus(), []);
  const isBlank = typed.trim() === '';
  const isFiltered = countOf(filter) > 0;
  const open = (address: string): void => {
    go(address);
    onClose();
  };
  const openPerson = useServiceMutation(
    (id: number) => callboard.conversations.create({ body: { type: 'single', peer_id: id } }),
    { onDone: (made) => open(addressOf(made.id)) },
  );
  const toOption = (target: Target, detail?: string) => ({
    key: `${target.kind}-${target.id}`,
    choose: () => (target.kind === 'chat' ? open(addressOf(target.id)) : void openPerson.run(target.id)),
    content: (
      <>
        <Picture name={target.name} url={target.avatar} id={target.pictureId} />
        <span className="option-text">
          <span>{target.name}</span>
          {detail !== undefined && <span className="option-detail">{detail}</span>}
        </span>
      </>
    ),
  });
  const membersOf = (id: number): string | undefined => {
    const chat = state?.conversations.find((conversation) => conversation.id === id);
    return chat?.is_group === true
      ? t('client:conversations.membersCount', { count: chat.member_count ?? 0 })
      : undefined;
  };
  const listbox = useListbox([
    {
      key: 'chats',
      label: t(isBlank ? 'find:recent' : 'find:chats'),
      options: isFiltered
        ? []
        : targets.known.slice(0, MAX_CHATS).map((chat) => toOption(chat, membersOf(chat.id))),
    },
    {
      key: 'people',
      label: t('find:people'),
      options: isFiltered ? [] : targets.found.slice(0, MAX_PEOPLE).map((person) => toOption(person)),
    },
    {
      key: 'messages',
      label: t('find:messages'),
      options: messages.hits.map((hit) => ({
        key: `message-${hit.message.id}`,
        choose: () => open(addressOf(hit.conversation.id, hit.message.id)),
        content: <Hit hit={hit} showsChat />,
      })),
    },
  ]);
  const isSearching = messages.isSearching || (targets.isSearching && !isBlank);
  const isEmpty = listbox.groups.every(({ options }) => options.length === 0);
  const error = openPerson.error ?? messages.error ?? targets.error;
  return (
    <Dialog title={t('find:title')} onClose={onClose} className="finder">
      <search>
        <div className="finder-field">
          <Icon name="search" size={20} />
          <input
            ref={field}
            type="text"
            value={typed}
            maxLength={MAX_KEYWORD}
            autoComplete="off"
            enterKeyHint="go"
            aria-label={t('find:field')}
            placeholder={t('find:field')}
            {...listbox.field}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <MessageFilters filter={filter} onChange={setFilter} senders="people" />
        <output className="hint">
          {isSearching && t('find:searching')}
          {!isSearching && isBlank && t(isFiltered ? 'find:keyword' : 'find:start')}
          {!isSearching && !isBlank && isEmpty && error === undefined && t('find:nothing')}
        </output>
        {error !== undefined && <ErrorMessage error={error} />}
        <div className="finder-results">
          <Listbox listbox={listbox} label={t('find:results')} />
          {messages.hasMore && !isBlank && (
            <button type="button" disabled={messages.isSearching} onClick={messages.loadMore}>
              {t('find:more')}
            </button>
          )}
        </div>
      </search>
    </Dialog>
  );
}
