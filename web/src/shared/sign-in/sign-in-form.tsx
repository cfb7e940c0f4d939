import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError, ClientConfigResponse } from '@callboard/client';
import { callboard } from '../callboard';
import { type Language, useLanguage } from '../i18n/i18n';
import { Picture } from '../picture';
import { ErrorMessage } from '../error-message';
import { toCallboardError } from '../session';
import { asMinutes, useCountdown } from './use-countdown';

/** Maximum lengths, as in the service. */
const MAX_ACCOUNT = 64;
const MAX_PASSWORD = 128;

const TOO_MANY = 429;

interface Props {
  demo: ClientConfigResponse['demo'];
  /** Account to prefill. */
  account?: string;
}

/** Form that logs in by account and password, or as a demo account if there are any. */
export function SignInForm({ demo, account }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const ids = { account: useId(), password: useId(), demo: useId() };
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<CallboardError>();
  const [secondsLeft, waitFor] = useCountdown();
  const isClosed = isBusy || secondsLeft > 0;

  const texts: Partial<Record<CallboardError['code'], string>> = {
    network: t('signIn.offline'),
    401: t('signIn.credentials'),
    429: t('signIn.tooMany'),
    503: t('signIn.unavailable'),
  };
  const logIn = async (account: string, password: string): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await callboard.session.logIn(account, password);
    } catch (error) {
      const failure = toCallboardError(error);
      setProblem(failure);
      if (failure.code === TOO_MANY) waitFor(failure.retryAfter ?? 1);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    if (!isClosed) void logIn(textOf(fields, 'account'), textOf(fields, 'password'));
  };

  return (
    <>
      <form className="sign-in" onSubmit={submit}>
        <label htmlFor={ids.account}>{t('signIn.account')}</label>
        <input
          id={ids.account}
          name="account"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={account}
          maxLength={MAX_ACCOUNT}
          required
        />
        <label htmlFor={ids.password}>{t('signIn.password')}</label>
        <input
          id={ids.password}
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={MAX_PASSWORD}
          required
        />
        {problem !== undefined && !(problem.code === TOO_MANY && secondsLeft === 0) && (
          <ErrorMessage error={problem} text={texts[problem.code]} />
        )}
        <button type="submit" className="primary" disabled={isClosed}>
          {secondsLeft > 0
            ? t('signIn.wait', { time: asMinutes(secondsLeft) })
            : t(isBusy ? 'signIn.submitting' : 'signIn.submit')}
        </button>
      </form>
      {demo !== null && (
        <section className="demo" aria-labelledby={ids.demo}>
          <h2 id={ids.demo}>{t('signIn.demo')}</h2>
          <p>{t('signIn.demoHint')}</p>
          <ul>
            {sortByLanguage(demo.people, language).map(({ account, name }) => (
              <li key={account}>
                <button type="button" disabled={isClosed} onClick={() => void logIn(account, demo.password)}>
                  <Picture name={name} url={null} />
                  <span>
                    {name}
                    <span className="account">{account}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type DemoPeople = NonNullable<ClientConfigResponse['demo']>['people'];

/** Sorts demo users: first those with the page's language, then those with several languages (null), then the others. */
function sortByLanguage(people: DemoPeople, language: Language): DemoPeople {
  const rankByAccount = [language, null];
  const rankOf = (own: Language | null): number =>
    rankByAccount.includes(own) ? rankByAccount.indexOf(own) : rankByAccount.length;
  return people.toSorted((a, b) => rankOf(a.language) - rankOf(b.language));
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
