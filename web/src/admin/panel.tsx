import { useTranslation } from 'react-i18next';
import { SignInPage } from '../shared/sign-in/sign-in-page';
import { SignedInCard } from '../shared/sign-in/signed-in-card';

/** The administrators' panel. What one may do there the service decides, by the role in the token. */
export function Panel() {
  const { t } = useTranslation();
  return (
    <SignInPage title={t('panel.title')} tagline={t('panel.tagline')}>
      {(user) => (
        <SignedInCard user={user} title={t(user.role === 'admin' ? 'panel.signedIn' : 'panel.notAdmin')}>
          <a href="/">{t('panel.toClient')}</a>
          {user.role === 'admin' && <a href="/docs">{t('client.toDocs')}</a>}
        </SignedInCard>
      )}
    </SignInPage>
  );
}
