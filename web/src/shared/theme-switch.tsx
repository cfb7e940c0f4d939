import { useTranslation } from 'react-i18next';
import { chooseTheme, THEMES, useTheme } from './theme';

/** Lets the visitor choose between light, dark, and what the system says. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const theme = useTheme();
  return (
    <fieldset className="switch">
      <legend className="for-screen-readers">{t('theme.label')}</legend>
      {THEMES.map((each) => (
        <button key={each} type="button" aria-pressed={theme === each} onClick={() => chooseTheme(each)}>
          {t(`theme.${each}`)}
        </button>
      ))}
    </fieldset>
  );
}
