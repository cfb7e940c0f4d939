import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Texts } from './texts';

export const LANGUAGES = ['zh-CN', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'texts';
    resources: { texts: Texts };
  }
}

const REMEMBERED = 'callboard.language';

/** A chunk for each, of which a visitor loads one. */
const CATALOGUES: Record<Language, () => Promise<Texts>> = {
  'zh-CN': async () => (await import('./zh-cn')).ZH_CN,
  en: async () => (await import('./en')).EN,
};

/** What was chosen here before, else what the browser prefers. */
function initialLanguage(): Language {
  const remembered = localStorage.getItem(REMEMBERED);
  const chosen = LANGUAGES.find((language) => language === remembered);
  const preferred = navigator.languages.find((language) => /^(zh|en)\b/i.test(language));
  return chosen ?? (preferred === undefined || /^zh/i.test(preferred) ? 'zh-CN' : 'en');
}

/** Loads the texts of the visitor's language; before that nothing can be shown. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    defaultNS: 'texts',
    ns: ['texts'],
    resources: {},
    // React escapes.
    interpolation: { escapeValue: false },
  });
  await showIn(initialLanguage());
}

/** Changes the language, for later visits too. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(REMEMBERED, language);
  await showIn(language);
}

async function showIn(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'texts'))
    i18next.addResourceBundle(language, 'texts', await CATALOGUES[language]());
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
