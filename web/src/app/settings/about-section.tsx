import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../../shared/client-config';
import { useUser } from '../../shared/sign-in/user-context';
import { Section } from './section';

/** Version of the service and links to its other pages. */
export function AboutSection() {
  const { t } = useTranslation(['client', 'settings', 'shared']);
  const config = useClientConfig();
  return (
    <Section title={t('settings:about.title')}>
      {config !== undefined && <p className="soft">{t('shared:version', { version: config.version })}</p>}
      <p className="settings-links">
        {useUser().role === 'admin' && <a href="/admin">{t('settings:about.panel')}</a>}
        <a href="/docs">{t('settings:about.docs')}</a>
      </p>
    </Section>
  );
}
