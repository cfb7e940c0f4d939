import { useTranslation } from 'react-i18next';
import { chooseTheme, THEMES, useTheme } from './theme';

/** Lets the user choose the light, dark or system theme. */
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
