import type { NotificationResponse } from '@callboard/client';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Icon } from '../icons';
import { useFormat } from '../format';
import { Menu } from '../parts/menu';
import { Timestamp } from '../parts/timestamp';
import { ActionLinks } from './action-links';
import { focusTitle } from './focus-title';
import { snoozeTimes } from './snooze-times';
import type { Moved } from './undo';
import { iconOf, useTypeNames } from './types';
import { targetPath } from './target';
import { useNotificationText } from './notification-text';

type Move = Moved['to'];

interface Props {
  notification: NotificationResponse;
  isOpen: boolean;
  /** Receives the id to expand the notification, null to collapse it. */
  onOpen: (id: number | null) => void;
  /** Called after the notification was archived, snoozed or moved back. */
  onMoved: (moved: Moved) => void;
}

/** A notification. Its title links to its target, or expands the text if there is none; both mark it as read. */
export function NotificationRow({ notification, isOpen, onOpen, onMoved }: Props) {
  const { t } = useTranslation('client');
  const nameOf = useTypeNames();
  const row = useRef<HTMLLIElement>(null);
  const format = useFormat();
  const { id, type, created_at: createdAt, snooze_until: snoozedUntil } = notification;
  const { title, content } = useNotificationText(notification);
  const isUnread = notification.is_read === 0;
  const path = targetPath(notification);
  // The event can update the row before the response arrives, so the user may mark it again meanwhile.
  const marking = useServiceMutation(
    (read: boolean) => callboard.notifications[read ? 'markRead' : 'markUnread']({ path: { id } }),
    { isSerial: true },
  );
  const deleting = useServiceMutation(() => callboard.notifications.delete({ path: { id } }));
  const moving = useServiceMutation(async (move: Move, until?: string) => {
    const request = { path: { id } };
    if (move === 'snooze')
      await callboard.notifications.snooze({ ...request, body: { snooze_until: until ?? '' } });
    else await callboard.notifications[move === 'inbox' ? 'restore' : 'archive'](request);
    onMoved({ notification, title, to: move });
  });
  const error = marking.error ?? moving.error ?? deleting.error;
  const read = (): void => {
    if (isUnread) void marking.run(true);
  };
  /** Moves the focus, which would be lost with the row. */
  const leave = (): void =>
    void focusTitle(row.current?.nextElementSibling ?? row.current?.previousElementSibling);
  const remove = (): void => {
    leave();
    void deleting.run();
  };
  const move = (to: Move, until?: string): void => {
    leave();
    void moving.run(to, until);
  };
  return (
    <li ref={row} data-id={id} className={isUnread ? 'notification is-unread' : 'notification'}>
      <span className="notification-icon">
        <Icon name={iconOf(notification)} size={20} />
      </span>
      <div className="notification-text">
        <h2>
          {path === undefined ? (
            <button
              type="button"
              className="notification-title"
              aria-expanded={isOpen}
              onClick={() => {
                onOpen(isOpen ? null : id);
                read();
              }}
            >
              {title}
            </button>
          ) : (
            <Link className="notification-title" href={path} onClick={read}>
              {title}
            </Link>
          )}
          {isUnread && <span className="for-screen-readers">{t('notifications.isUnread')}</span>}
        </h2>
        <p className={isOpen ? 'notification-content is-open' : 'notification-content'}>{content}</p>
        <p className="notification-facts">
          <span>{nameOf(type)}</span>
          <Timestamp moment={createdAt} />
          {snoozedUntil !== null && (
            <span>{t('notifications.snoozedUntil', { time: format.momentInText(snoozedUntil) })}</span>
          )}
        </p>
        <ActionLinks notification={notification} onFollow={read} />
        {error !== undefined && <ErrorMessage error={error} />}
      </div>
      <div className="notification-acts">
        <button
          type="button"
          className="icon-button"
          aria-label={t(isUnread ? 'notifications.markRead' : 'notifications.markUnread', { title })}
          title={t(isUnread ? 'notifications.read' : 'notifications.unread')}
          onClick={() => void marking.run(isUnread)}
        >
          {isUnread ? <Icon name="check" size={20} /> : <span className="unread-ring" />}
        </button>
        {notification.archived === 0 ? (
          <>
            <button
              type="button"
              className="icon-button"
              aria-label={t('notifications.archive', { title })}
              title={t('notifications.archiveShort')}
              onClick={() => move('archive')}
            >
              <Icon name="archive" size={20} />
            </button>
            <Menu
              className="icon-button"
              label={t('notifications.snooze', { title })}
              button={<Icon name="snooze" size={20} />}
              actions={() =>
                snoozeTimes(new Date()).map(({ name, until }) => ({
                  label: t(`notifications.snoozeUntil.${name}`, { time: format.momentInText(until) }),
                  act: () => move('snooze', until),
                }))
              }
            />
          </>
        ) : (
          <button
            type="button"
            className="icon-button"
            aria-label={t('notifications.toInbox', { title })}
            title={t('notifications.toInboxShort')}
            onClick={() => move('inbox')}
          >
            <Icon name="inbox" size={20} />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={t('notifications.delete', { title })}
          title={t('notifications.deleteShort')}
          onClick={remove}
        >
          <Icon name="trash" size={20} />
        </button>
      </div>
    </li>
  );
}
