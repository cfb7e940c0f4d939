import { useTranslation } from 'react-i18next';
import { install, useInstallState } from '../push/install';
import { Section } from './section';

/** Offer to install the client as an app; nothing where it is installed or cannot be. */
export function InstallSection() {
  const { t } = useTranslation(['client', 'settings']);
  const state = useInstallState();
  if (state === 'none') return null;
  return (
    <Section title={t('settings:install.title')}>
      <div className="settings-row">
        <p className="soft">{t(state === 'ios' ? 'settings:install.ios' : 'settings:install.hint')}</p>
        {state === 'prompt' && (
          <button type="button" onClick={() => void install()}>
            {t('settings:install.open')}
          </button>
        )}
      </div>
    </Section>
  );
}
