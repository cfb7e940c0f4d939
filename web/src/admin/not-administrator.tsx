import { useTranslation } from 'react-i18next';
import { Picture } from '../shared/picture';
import { logOut } from '../shared/session';
import { useUser } from '../shared/sign-in/user-context';

/** Shown to signed-in users without the admin role, with a link to the web client and a log-out button. */
export function NotAdministrator() {
  const { t } = useTranslation(['panel', 'shared']);
  const user = useUser();
  return (
    <div className="frame">
      <main>
        <h1>{t('title')}</h1>
        <p>{t('notAdministrator')}</p>
        <div className="person">
          <Picture name={user.name} url={user.avatar} />
          {user.name}
        </div>
        <p>
          <a href="/">{t('toClient')}</a>
        </p>
        <button type="button" className="primary" onClick={() => void logOut()}>
          {t('shared:logOut')}
        </button>
      </main>
    </div>
  );
}
