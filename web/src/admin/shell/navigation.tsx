import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { SCREENS } from '../screens';

/** The menu of screens. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation('panel');
  const [location] = useLocation();
  const current = location.split('/')[1] ?? '';
  return (
    <nav aria-label={t('menu')} className="screens">
      <ul>
        {SCREENS.map(({ name, icon }) => (
          <li key={name}>
            <Link href={`/${name}`} aria-current={name === current ? 'page' : undefined} onClick={onNavigate}>
              <span aria-hidden="true">{icon}</span>
              {t(`screens.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
