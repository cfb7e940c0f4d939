import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { useUrlState } from '../../shared/url-state';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Icon } from '../icons';
import { useLive } from '../live';
import { useLiveError, useLiveStore, useLiveValue } from '../live-store';
import { NotLoaded } from '../parts/not-loaded';
import { Filters, useFilter } from './filters';
import { LoadMore } from './load-more';
import { NotificationRow } from './notification-row';
import { UndoBar, useUndo } from './undo';
import { usePausedList } from './use-paused-list';
import './notifications.css';

/** Screen with the user's notifications: announcements, missed calls, and notifications sent by integrations. */
export function NotificationsScreen() {
  const { t } = useTranslation('client');
  const url = useUrlState();
  const { kind, unreadOnly, archived } = useFilter();
  const { unreadNotifications } = useLive();
  const list = useRef<HTMLDivElement>(null);

  const open = useCallback(
    () => callboard.live.notifications({ type: kind, unreadOnly, archived }),
    [kind, unreadOnly, archived],
  );
  const store = useLiveStore(open);
  const state = useLiveValue(store);
  const listError = useLiveError(store);
  const { shown, pendingCount, resume, handlers } = usePausedList(state?.notifications ?? []);

  const more = useServiceMutation(async () => store?.loadMore());
  /** The list that `more` has loaded last. Its error must not keep another list from loading more when it is scrolled. */
  const [extended, setExtended] = useState<typeof store>();
  const moreError = extended === store ? more.error : undefined;
  const markingAll = useServiceMutation((type: string | undefined) =>
    callboard.notifications.markAllRead({ body: type === undefined ? {} : { type } }),
  );
  const undo = useUndo(list);
  const unreadCount = kind === undefined ? unreadNotifications?.count : unreadNotifications?.by_type[kind];
  const noneText = archived
    ? 'notifications.noneArchived'
    : unreadOnly
      ? 'notifications.noneUnread'
      : 'notifications.none';
  const isEmpty = state !== undefined && state.notifications.length === 0;
  const error = markingAll.error ?? moreError ?? undo.error ?? (state === undefined ? undefined : listError);

  return (
    <main className="one-column notifications">
      <header className="column-header">
        <h1>{t('screens.notifications')}</h1>
        <button
          type="button"
          className="quiet"
          disabled={(unreadCount ?? 0) === 0}
          onClick={() => void markingAll.run(kind)}
        >
          {t('notifications.markAll')}
        </button>
      </header>
      <div className="column-header">
        <Filters />
      </div>
      {error !== undefined && <ErrorMessage error={error} />}
      <output className="held">
        {pendingCount > 0 && (
          <button
            type="button"
            className="primary"
            onClick={() => {
              resume();
              list.current?.scrollTo({ top: 0 });
            }}
          >
            {t('notifications.held', { number: pendingCount })}
          </button>
        )}
      </output>
      <div ref={list} className="column-body" {...handlers}>
        {state === undefined && (
          <NotLoaded error={listError} onRetry={() => void store?.reload({ isUrgent: true })} />
        )}
        {isEmpty && (
          <p className="empty">
            <Icon name="notifications" />
            {t(noneText)}
          </p>
        )}
        <ul className="notification-list">
          {shown.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              isOpen={url.number('open') === notification.id}
              onOpen={(id) => url.set({ open: id })}
              onMoved={undo.offer}
            />
          ))}
        </ul>
        {state?.hasMore === true && (
          <LoadMore
            isLoading={more.isPending}
            hasFailed={moreError !== undefined}
            onMore={() => {
              setExtended(store);
              void more.run();
            }}
          />
        )}
      </div>
      <UndoBar undo={undo} />
    </main>
  );
}
