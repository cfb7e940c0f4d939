import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import { useLive } from '../live';
import { useTypeNames, useTypes } from './types';

/** Returns the filter of the notification list, which is stored in the URL. */
export function useFilter(): { kind: string | undefined; unreadOnly: boolean; archived: boolean } {
  const url = useUrlState();
  const archived = url.text('archived') !== undefined;
  return { kind: url.text('type'), unreadOnly: url.text('unread') !== undefined && !archived, archived };
}

/** The parts of the list, of which one is shown. */
const PARTS = ['all', 'unread', 'archived'] as const;

/** Lets the user choose unread or archived notifications, and a kind. */
export function Filters() {
  const { t } = useTranslation('client');
  const url = useUrlState();
  const { kind, unreadOnly, archived } = useFilter();
  const shown = archived ? 'archived' : unreadOnly ? 'unread' : 'all';
  const kinds = useTypes(kind);
  const nameOf = useTypeNames();
  const { unreadNotifications } = useLive();
  return (
    <div className="notification-filters">
      <fieldset className="switch">
        <legend className="for-screen-readers">{t('notifications.show')}</legend>
        {PARTS.map((part) => (
          <button
            key={part}
            type="button"
            aria-pressed={shown === part}
            onClick={() => url.set({ unread: part === 'unread', archived: part === 'archived', open: null })}
          >
            {t(`notifications.${part}`)}
          </button>
        ))}
      </fieldset>
      <select
        aria-label={t('notifications.kind')}
        value={kind ?? ''}
        onChange={({ target }) => url.set({ type: target.value, open: null })}
      >
        <option value="">{t('notifications.everyKind')}</option>
        {kinds.map((each) => {
          const count = unreadNotifications?.by_type[each] ?? 0;
          return (
            <option key={each} value={each}>
              {count > 0 ? t('notifications.kindCount', { kind: nameOf(each), number: count }) : nameOf(each)}
            </option>
          );
        })}
      </select>
    </div>
  );
}
