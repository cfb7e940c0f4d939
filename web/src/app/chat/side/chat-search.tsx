import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundMessageResponse } from '@callboard/client';
import { ErrorMessage } from '../../../shared/error-message';
import { isComposing } from '../../../shared/is-composing';
import { Hit } from '../../find/hit';
import { NO_FILTER } from '../../find/message-filter';
import { MessageFilters } from '../../find/message-filters';
import { useMessageSearch } from '../../find/use-message-search';
import { Icon } from '../../icons';
import { useOpenChat } from '../chat-context';
import '../../find/finder.css';

/** Maximum length of a keyword, as in the service. */
const MAX_KEYWORD = 100;

/**
 * Search in the open chat. A hit scrolls the history to its message, from where it can be read in both directions; Enter and
 * Shift-Enter, or the arrow buttons, go to the next older and newer hit.
 */
export function ChatSearch() {
  const { t } = useTranslation(['client', 'find']);
  const { conversation, jumpTo } = useOpenChat();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState(NO_FILTER);
  const [currentId, setCurrentId] = useState<number>();
  const [showsResults, setShowsResults] = useState(true);
  const search = useMessageSearch({ typed, filter, conversationId: conversation.id });
  const { hits, hasMore, isSearching, error, loadMore } = search;
  const index = hits.findIndex(({ message }) => message.id === currentId);
  useEffect(() => field.current?.focus(), []);

  const open = ({ message }: FoundMessageResponse): void => {
    setCurrentId(message.id);
    setShowsResults(false);
    jumpTo(message.id, { keepsFocus: true });
  };
  const step = (by: 1 | -1): void => {
    const next = hits[index < 0 ? 0 : index + by];
    if (next !== undefined) open(next);
    if (by === 1 && hasMore && index + by >= hits.length - 1) loadMore();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  const isBlank = typed.trim() === '';
  const count = hasMore
    ? t('find:hitsSoFar', { count: hits.length })
    : t('find:hits', { count: hits.length });
  return (
    <search className={showsResults ? 'chat-search' : 'chat-search at-hit'}>
      <div className="chat-search-field">
        <input
          ref={field}
          type="search"
          value={typed}
          maxLength={MAX_KEYWORD}
          autoComplete="off"
          enterKeyHint="search"
          aria-label={t('find:inChatField')}
          placeholder={t('find:inChatField')}
          onChange={({ target }) => {
            setTyped(target.value);
            setCurrentId(undefined);
            setShowsResults(true);
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={t('find:older')}
          title={t('find:older')}
          // Not `disabled`: the focus stays at the last hit.
          aria-disabled={hits.length === 0 || (index === hits.length - 1 && !isSearching)}
          onClick={() => step(1)}
        >
          <Icon name="up" size={20} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('find:newer')}
          title={t('find:newer')}
          aria-disabled={index <= 0}
          onClick={() => step(-1)}
        >
          <Icon name="down" size={20} />
        </button>
      </div>
      <div className="chat-search-state">
        <output className="hint">
          {isSearching && hits.length === 0 && t('find:searching')}
          {!isSearching && isBlank && t('find:start')}
          {!isSearching && !isBlank && hits.length === 0 && error === undefined && t('find:nothing')}
          {hits.length > 0 &&
            (index < 0 ? count : t('find:position', { position: index + 1, count: hits.length }))}
        </output>
        {!showsResults && (
          <button type="button" className="quiet show-results" onClick={() => setShowsResults(true)}>
            {t('find:showResults')}
          </button>
        )}
      </div>
      <div className="chat-search-results">
        <MessageFilters filter={filter} onChange={setFilter} senders={{ membersOf: conversation.id }} />
        {error !== undefined && <ErrorMessage error={error} />}
        <ol className="hits" aria-label={t('find:results')}>
          {hits.map((hit) => (
            <li key={hit.message.id}>
              <button
                type="button"
                aria-current={hit.message.id === currentId ? 'true' : undefined}
                onClick={() => open(hit)}
              >
                <Hit hit={hit} showsChat={false} />
              </button>
            </li>
          ))}
        </ol>
        {hasMore && !isBlank && (
          <button type="button" disabled={isSearching} onClick={loadMore}>
            {t('find:more')}
          </button>
        )}
      </div>
    </search>
  );
}
