import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../client-config';
import { LanguageSwitch } from '../language-switch';
import { ErrorMessage } from '../error-message';
import { logOut, restoreSession, useSession } from '../session';
import { SignInForm } from './sign-in-form';

/** Full-page sign-in. */
export function SignInPage({ title, tagline }: { title: string; tagline: string }) {
  const { t } = useTranslation();
  const config = useClientConfig();
  const session = useSession();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="frame">
      <header>
        <LanguageSwitch />
      </header>
      <main aria-busy={session.status === 'starting'}>
        <h1>
          <img src="/favicon.svg" alt="" width="36" height="36" />
          {title}
        </h1>
        <p className="tagline">{tagline}</p>
        {session.status === 'starting' && <output>{t('starting')}</output>}
        {session.status === 'signed-out' && session.problem !== undefined && (
          <>
            <ErrorMessage
              error={session.problem}
              text={session.failed === 'log-out' ? t('signIn.stillLoggedIn') : undefined}
            />
            <button
              type="button"
              onClick={() => void (session.failed === 'log-out' ? logOut() : restoreSession())}
            >
              {t('retry')}
            </button>
          </>
        )}
        {session.status === 'signed-out' && <SignInForm demo={config?.demo ?? null} />}
      </main>
      <footer>{config !== undefined && t('version', { version: config.version })}</footer>
    </div>
  );
}
