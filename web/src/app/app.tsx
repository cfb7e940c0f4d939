import { useTranslation } from 'react-i18next';
import { SignInPage } from '../shared/sign-in/sign-in-page';
import { SignedInCard } from '../shared/sign-in/signed-in-card';

/** The web client. */
export function App() {
  const { t } = useTranslation();
  return (
    <SignInPage title={t('client.title')} tagline={t('client.tagline')}>
      {(user) => (
        <SignedInCard user={user} title={t('client.signedIn')}>
          {user.role === 'admin' && <a href="/admin">{t('client.toPanel')}</a>}
          <a href="/docs">{t('client.toDocs')}</a>
        </SignedInCard>
      )}
    </SignInPage>
  );
}
