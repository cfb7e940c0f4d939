import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useClientConfig } from '../../shared/client-config';
import { SCREENS } from '../screens';

/** The menu of screens, with the time zone in which all of them show times. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation('panel');
  const timeZone = useClientConfig()?.time_zone;
  const [location] = useLocation();
  const current = location.split('/')[1] ?? '';
  return (
    <nav aria-label={t('menu')} className="screens">
      <ul>
        {SCREENS.filter(({ isOutsideMenu }) => isOutsideMenu !== true).map(({ name, icon }) => (
          <li key={name}>
            <Link href={`/${name}`} aria-current={name === current ? 'page' : undefined} onClick={onNavigate}>
              <span aria-hidden="true">{icon}</span>
              {t(`screens.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
      {timeZone !== undefined && <p className="time-zone">{t('timeZone', { zone: timeZone })}</p>}
    </nav>
  );
}
