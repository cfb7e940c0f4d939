import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import { useDebounced } from '../../shared/use-debounced';
import { Icon } from '../icons';
import { TwoColumns } from '../shell/two-columns';
import { BlockedPeople } from './blocked-people';
import { useBlockEvents } from './blocks';
import { SearchResults } from './search-results';
import { ChatPartners } from './chat-partners';
import { Profile } from './profile';
import { SearchField } from './search-field';
import '../calls/history/history.css';
import './contacts.css';

/** Screen with known, found or blocked users and the profile of one of them. */
export function ContactsScreen() {
  const { t } = useTranslation('client');
  const url = useUrlState();
  const applied = url.text('q') ?? '';
  const [typed, setTyped] = useState(applied);
  const [shown, setShown] = useState(applied);
  const keyword = useDebounced(typed.trim());
  const person = url.number('person');
  const showsBlocked = url.text('show') === 'blocked';
  useBlockEvents();
  if (shown !== applied) {
    setShown(applied);
    // Keeps the text as typed, including a trailing space, unless the URL was changed elsewhere.
    if (applied !== typed.trim()) setTyped(applied);
  }
  const type = (text: string): void => {
    setTyped(text);
    url.set({ q: text.trim(), show: null, page: null });
  };
  return (
    <TwoColumns
      title={t('screens.contacts')}
      showsDetail={person !== undefined}
      list={
        <>
          <SearchField typed={typed} onType={type} />
          {keyword === '' && (
            <fieldset className="switch contacts-switch">
              <legend className="for-screen-readers">{t('contacts.show')}</legend>
              {(['known', 'blocked'] as const).map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={showsBlocked === (each === 'blocked')}
                  onClick={() => url.set({ show: each === 'blocked' ? each : null, page: null })}
                >
                  {t(`contacts.${each}`)}
                </button>
              ))}
            </fieldset>
          )}
          {keyword !== '' && <SearchResults keyword={keyword} selectedId={person} />}
          {keyword === '' && showsBlocked && <BlockedPeople url={url} selectedId={person} />}
          {keyword === '' && !showsBlocked && <ChatPartners selectedId={person} />}
        </>
      }
      detail={
        person === undefined ? (
          <div className="empty">
            <Icon name="contacts" />
            <p>{t('contacts.choose')}</p>
          </div>
        ) : (
          <Profile key={person} userId={person} />
        )
      }
    />
  );
}
