import type { NotificationResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { actionsOf } from './actions';

interface Props {
  notification: NotificationResponse;
  onFollow: () => void;
}

/** The links that a backend has sent with a notification. Links to other sites open in a new tab. */
export function ActionLinks({ notification, onFollow }: Props) {
  const { t } = useTranslation('client');
  const actions = actionsOf(notification);
  if (actions.length === 0) return null;
  return (
    <p className="notification-actions">
      {actions.map(({ id, label, url }) =>
        url.startsWith('/') ? (
          <Link key={id} className="action-link" href={url} onClick={onFollow}>
            {label}
          </Link>
        ) : (
          <a
            key={id}
            className="action-link"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={onFollow}
          >
            {label}
            <span className="for-screen-readers">{t('notifications.newTab')}</span>
          </a>
        ),
      )}
    </p>
  );
}
