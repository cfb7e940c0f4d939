import type { NotificationResponse } from '@callboard/client';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Icon } from '../icons';
import { Timestamp } from '../parts/timestamp';
import { iconOf, useTypeNames } from './types';
import { targetPath } from './target';
import { useNotificationText } from './notification-text';

interface Props {
  notification: NotificationResponse;
  isOpen: boolean;
  /** Receives the id to expand the notification, null to collapse it. */
  onOpen: (id: number | null) => void;
}

/** A notification. Its title links to its target, or expands the text if there is none; both mark it as read. */
export function NotificationRow({ notification, isOpen, onOpen }: Props) {
  const { t } = useTranslation('client');
  const nameOf = useTypeNames();
  const row = useRef<HTMLLIElement>(null);
  const { id, type, created_at: createdAt } = notification;
  const { title, content } = useNotificationText(notification);
  const isUnread = notification.is_read === 0;
  const path = targetPath(notification);
  // The event can update the row before the response arrives, so the user may mark it again meanwhile.
  const marking = useServiceMutation(
    (read: boolean) => callboard.notifications[read ? 'markRead' : 'markUnread']({ path: { id } }),
    { isSerial: true },
  );
  const deleting = useServiceMutation(() => callboard.notifications.delete({ path: { id } }));
  const error = marking.error ?? deleting.error;
  const read = (): void => {
    if (isUnread) void marking.run(true);
  };
  const remove = (): void => {
    // Moves the focus, which would be lost with the row.
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
    neighbour?.querySelector<HTMLElement>('.notification-title')?.focus();
    void deleting.run();
  };
  return (
    <li ref={row} className={isUnread ? 'notification is-unread' : 'notification'}>
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
        </p>
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
