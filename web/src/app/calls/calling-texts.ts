import { loadPartTexts } from '../../shared/i18n/i18n';

/** Loads the texts of the call window and of the preview before a call. A lazy part that shows them awaits this. */
export const loadCallingTexts = (): Promise<void> =>
  loadPartTexts('calling', {
    'zh-CN': async () => (await import('../i18n/zh-cn/calling')).CALLING_TEXTS,
    en: async () => (await import('../i18n/en/calling')).CALLING_TEXTS,
  });
