import { loadPartTexts } from '../../shared/i18n/i18n';

/** Loads the texts of the search and of the people picker. A lazy part that shows them awaits this. */
export const loadFindTexts = (): Promise<void> =>
  loadPartTexts('find', {
    'zh-CN': async () => (await import('../i18n/zh-cn/find')).FIND_TEXTS,
    en: async () => (await import('../i18n/en/find')).FIND_TEXTS,
  });
