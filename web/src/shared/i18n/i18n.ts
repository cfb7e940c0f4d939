import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { CallboardError } from '@callboard/client';
import { trySetItem } from '../try-set-item';
import type { CLIENT_TEXTS } from '../../app/i18n/en';
import type { CALLING_TEXTS } from '../../app/i18n/en/calling';
import type { FIND_TEXTS } from '../../app/i18n/en/find';
import type { SETTINGS_TEXTS } from '../../app/i18n/en/settings';
import type { PANEL_TEXTS } from '../../admin/i18n/en';
import type { EN } from './en';

export const LANGUAGES = ['zh-CN', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Texts of a page: one chunk per language, of which the browser loads one. */
export interface Catalogues {
  namespace: 'client' | 'panel';
  texts: Record<Language, () => Promise<object>>;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared';
    resources: {
      shared: typeof EN;
      client: typeof CLIENT_TEXTS;
      panel: typeof PANEL_TEXTS;
      find: typeof FIND_TEXTS;
      calling: typeof CALLING_TEXTS;
      settings: typeof SETTINGS_TEXTS;
    };
  }
}

const REMEMBERED = 'callboard.language';
const SHARED: Record<Language, () => Promise<object>> = {
  'zh-CN': async () => (await import('./zh-cn')).ZH_CN,
  en: async () => (await import('./en')).EN,
};

let pageTexts: Catalogues;
/** Texts of parts that are loaded on demand, by namespace. */
const partTexts = new Map<string, Catalogues['texts']>();

/** Returns the language that was chosen in this browser, else the first supported one that the browser prefers. */
export function initialLanguage(): Language {
  const remembered = localStorage.getItem(REMEMBERED);
  const chosen = LANGUAGES.find((language) => language === remembered);
  const preferred = navigator.languages.find((language) => /^(zh|en)\b/i.test(language));
  return chosen ?? (preferred === undefined || /^zh/i.test(preferred) ? 'zh-CN' : 'en');
}

/**
 * Loads the texts of the user's language. Nothing can be rendered before that.
 * @throws {CallboardError} network: the texts did not load
 */
export async function startI18n(catalogues: Catalogues): Promise<void> {
  pageTexts = catalogues;
  // `startI18n` is called again when the texts did not load.
  if (!i18next.isInitialized)
    await i18next.use(initReactI18next).init({
      defaultNS: 'shared',
      ns: ['shared', catalogues.namespace],
      resources: {},
      // React escapes values.
      interpolation: { escapeValue: false },
    });
  await showIn(initialLanguage());
}

/**
 * Loads the texts of a part that is loaded on demand. A later change of the language loads them in that language too.
 * @throws {Error} the texts did not load
 */
export async function loadPartTexts(namespace: string, texts: Catalogues['texts']): Promise<void> {
  partTexts.set(namespace, texts);
  await addTexts(i18next.language as Language, namespace, texts);
}

async function addTexts(language: Language, namespace: string, texts: Catalogues['texts']): Promise<void> {
  if (!i18next.hasResourceBundle(language, namespace))
    i18next.addResourceBundle(language, namespace, await texts[language]());
}

/**
 * Changes the language, for later visits too.
 * @throws {CallboardError} network: the texts did not load; the language stays
 */
export async function changeLanguage(language: Language): Promise<void> {
  await showIn(language);
  trySetItem(localStorage, REMEMBERED, language);
}

async function showIn(language: Language): Promise<void> {
  const { namespace, texts } = pageTexts;
  if (!i18next.hasResourceBundle(language, namespace)) {
    const [shared, own] = await Promise.all([SHARED[language](), texts[language]()]).catch(notLoaded);
    i18next.addResourceBundle(language, 'shared', shared);
    i18next.addResourceBundle(language, namespace, own);
  }
  await Promise.all([...partTexts].map(([part, loaders]) => addTexts(language, part, loaders))).catch(
    notLoaded,
  );
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

function notLoaded(cause: unknown): never {
  throw new CallboardError('network', undefined, { cause });
}

/** Returns the current language of the page. */
export const useLanguage = (): Language => useTranslation().i18n.language as Language;
