import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../callboard';
import { LanguageSwitch } from '../language-switch';
import { Problem } from '../problem';
import { useClientConfig } from '../use-client-config';
import { session, useSession } from '../use-session';
import { SignInForm } from './sign-in-form';

interface Props {
  title: string;
  tagline: string;
  /** What somebody sees who is logged in. */
  children: (user: User) => ReactNode;
}

/** The frame around logging in: who asks for it, the form, or what comes after it. */
export function SignInPage({ title, tagline, children }: Props) {
  const { t } = useTranslation();
  const config = useClientConfig();
  const state = useSession();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="frame">
      <header>
        <LanguageSwitch />
      </header>
      <main aria-busy={state.status === 'starting'}>
        <h1>
          <img src="/favicon.svg" alt="" width="36" height="36" />
          {title}
        </h1>
        <p className="tagline">{tagline}</p>
        {state.status === 'starting' && <output>{t('starting')}</output>}
        {state.status === 'signed-in' && children(state.user)}
        {state.status === 'signed-out' && state.problem !== undefined && (
          <>
            <Problem error={state.problem} />
            <button type="button" onClick={() => void session.start()}>
              {t('retry')}
            </button>
          </>
        )}
        {state.status === 'signed-out' && <SignInForm demo={config?.demo ?? null} />}
      </main>
      <footer>{config !== undefined && t('version', { version: config.version })}</footer>
    </div>
  );
}
