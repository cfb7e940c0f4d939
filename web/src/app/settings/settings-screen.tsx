import { useTranslation } from 'react-i18next';
import { logOut } from '../../shared/session';
import { useMe } from '../me';
import { AboutSection } from './about-section';
import { AppearanceSection } from './appearance-section';
import { AttentionSection } from './attention-section';
import { BlockedSection } from './blocked-section';
import { InstallSection } from './install-section';
import { PasswordSection } from './password-section';
import { PreferencesSection } from './preferences/preferences-section';
import { ProfileSection } from './profile-section';
import { SessionsSection } from './sessions-section';
import './settings.css';

/** Screen with the settings of the user, of this browser, and of the user's sessions. */
export function SettingsScreen() {
  const { t } = useTranslation(['client', 'shared']);
  const { account } = useMe();
  return (
    <main className="one-column">
      <header className="column-header">
        <h1>{t('screens.settings')}</h1>
        <button type="button" onClick={() => void logOut()}>
          {t('shared:logOut')}
        </button>
      </header>
      <div className="column-body">
        <div className="settings">
          <ProfileSection />
          <AppearanceSection />
          <AttentionSection />
          <InstallSection />
          <PreferencesSection />
          {/* Users of an identity provider have no account and password here. */}
          {account !== null && <PasswordSection />}
          <SessionsSection />
          <BlockedSection />
          <AboutSection />
        </div>
      </div>
    </main>
  );
}
