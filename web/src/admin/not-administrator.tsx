import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';
import { callboard } from '../shared/callboard';
import { Picture } from '../shared/picture';
import { ErrorMessage } from '../shared/error-message';
import { toCallboardError } from '../shared/session';
import { useUser } from '../shared/sign-in/user-context';

/** Shown to signed-in users without the admin role, with a link to the web client and a log-out button. */
export function NotAdministrator() {
  const { t } = useTranslation(['panel', 'shared']);
  const user = useUser();
  const [problem, setProblem] = useState<CallboardError>();
  const logOut = (): void => {
    setProblem(undefined);
    callboard.session.logOut().catch((error: unknown) => setProblem(toCallboardError(error)));
  };
  return (
    <div className="frame">
      <main>
        <h1>{t('title')}</h1>
        <p>{t('notAdministrator')}</p>
        <div className="person">
          <Picture name={user.name} url={user.avatar} />
          {user.name}
        </div>
        {problem !== undefined && <ErrorMessage error={problem} />}
        <p>
          <a href="/">{t('toClient')}</a>
        </p>
        <button type="button" className="primary" onClick={logOut}>
          {t('shared:logOut')}
        </button>
      </main>
    </div>
  );
}
