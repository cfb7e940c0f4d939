import { useTranslation } from 'react-i18next';
import { LanguageSwitch } from '../../shared/language-switch';
import { ThemeSwitch } from '../../shared/theme-switch';
import { Section } from './section';

/** Settings of language and theme. */
export function AppearanceSection() {
  const { t } = useTranslation(['client', 'settings', 'shared']);
  return (
    <Section title={t('settings:appearance')}>
      <div className="settings-row">
        <span aria-hidden="true">{t('shared:language.label')}</span>
        <LanguageSwitch />
      </div>
      <div className="settings-row">
        <span aria-hidden="true">{t('shared:theme.label')}</span>
        <ThemeSwitch />
      </div>
    </Section>
  );
}
