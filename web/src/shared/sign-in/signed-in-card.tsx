import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../callboard';
import { type CallboardError, toCallboardError } from '../errors';
import { Problem } from '../problem';
import { session } from '../use-session';

/** Who is logged in, and the way out. `children`: where to go from here. */
export function SignedInCard({ user, title, children }: { user: User; title: string; children: ReactNode }) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<CallboardError>();
  const logOut = (): void => {
    setProblem(undefined);
    session.logOut().catch((error: unknown) => setProblem(toCallboardError(error)));
  };
  return (
    <section className="signed-in">
      <output>{title}</output>
      <div className="person">
        <Picture user={user} />
        <h2>{user.name}</h2>
      </div>
      <dl>
        <dt>{t('signedIn.account')}</dt>
        <dd>{user.account}</dd>
        <dt>{t('signedIn.role')}</dt>
        <dd>{t(`signedIn.roles.${user.role}`)}</dd>
      </dl>
      {problem !== undefined && <Problem error={problem} />}
      <nav>{children}</nav>
      <button type="button" className="primary" onClick={logOut}>
        {t('signedIn.logOut')}
      </button>
    </section>
  );
}

/** The picture of a person; the first letter of the name where there is none, or it does not load. */
function Picture({ user: { avatar, name } }: { user: User }) {
  const [isBroken, setBroken] = useState(false);
  return avatar === null || isBroken ? (
    <span className="picture" aria-hidden="true">
      {Array.from(name)[0]}
    </span>
  ) : (
    <img
      className="picture"
      src={avatar}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  );
}
