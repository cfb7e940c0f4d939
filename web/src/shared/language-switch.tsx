import { useTranslation } from 'react-i18next';
import { changeLanguage, LANGUAGES } from './i18n/i18n';
import { ErrorMessage } from './error-message';
import { useServiceMutation } from './use-service-mutation';

const NAMES = { 'zh-CN': 'language.zh', en: 'language.en' } as const;

/** Lets the user choose the language; each is named in its own language. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const changing = useServiceMutation(changeLanguage);
  return (
    <>
      <fieldset className="switch">
        <legend className="for-screen-readers">{t('language.label')}</legend>
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={i18n.language === language}
            onClick={() => void changing.run(language)}
          >
            {t(NAMES[language])}
          </button>
        ))}
      </fieldset>
      {changing.error !== undefined && <ErrorMessage error={changing.error} />}
    </>
  );
}
