import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { Picture } from '../../shared/picture';
import { useUser } from '../../shared/sign-in/user-context';
import { Icon } from '../icons';
import { useMe } from '../me';
import { SCREENS, type ScreenName } from '../screens';
import { type Unread, useUnread } from './unread';

/** Largest unread count that is shown; above it the badge is `99+`. */
const MAX_SHOWN = 99;

const countOf = (name: ScreenName, { messages, notifications }: Unread): number => {
  if (name === 'conversations') return messages;
  return name === 'notifications' ? notifications : 0;
};

/** Menu of the screens with unread counts; on phones a bar at the bottom. */
export function Navigation() {
  const { t } = useTranslation('client');
  const [location] = useLocation();
  const unread = useUnread();
  const isAdministrator = useUser().role === 'admin';
  const me = useMe();
  const current = location.split('/')[1] || 'conversations';
  return (
    <nav className="navigation" aria-label={t('menu')}>
      <ul>
        <li className="myself">
          <Link href="/settings">
            <Picture name={me.name} url={me.avatar} id={me.id} />
            <span>{me.name}</span>
          </Link>
        </li>
        {SCREENS.map(({ name, paths: [first = '/'] }) => {
          const count = countOf(name, unread);
          return (
            <li key={name}>
              <Link href={first} aria-current={current === name ? 'page' : undefined}>
                <Icon name={name} />
                <span>{t(`screens.${name}`)}</span>
                {count > 0 && (
                  <>
                    <span className="badge" aria-hidden="true">
                      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
                    </span>
                    <span className="for-screen-readers">{t('shell.unread', { number: count })}</span>
                  </>
                )}
              </Link>
            </li>
          );
        })}
        {isAdministrator && (
          <li className="ways-out">
            <a href="/admin">
              <Icon name="panel" />
              {t('shell.panel')}
            </a>
          </li>
        )}
        <li className="ways-out">
          <a href="/docs">
            <Icon name="docs" />
            {t('shell.docs')}
          </a>
        </li>
      </ul>
    </nav>
  );
}
