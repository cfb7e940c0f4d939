import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import { useLive } from '../live';
import { useTypeNames, useTypes } from './types';

/** Returns the filter of the notification list, which is stored in the URL. */
export function useFilter(): { kind: string | undefined; unreadOnly: boolean } {
  const url = useUrlState();
  return { kind: url.text('type'), unreadOnly: url.text('unread') !== undefined };
}

/** Lets the user filter notifications by unread state and kind. */
export function Filters() {
  const { t } = useTranslation('client');
  const url = useUrlState();
  const { kind, unreadOnly } = useFilter();
  const kinds = useTypes(kind);
  const nameOf = useTypeNames();
  const { unreadNotifications } = useLive();
  return (
    <div className="notification-filters">
      <fieldset className="switch">
        <legend className="for-screen-readers">{t('notifications.show')}</legend>
        {[false, true].map((unread) => (
          <button
            key={String(unread)}
            type="button"
            aria-pressed={unreadOnly === unread}
            onClick={() => url.set({ unread, open: null })}
          >
            {t(unread ? 'notifications.unread' : 'notifications.all')}
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
