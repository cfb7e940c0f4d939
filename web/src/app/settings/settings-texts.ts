import { loadPartTexts } from '../../shared/i18n/i18n';

/** Loads the texts of the settings. */
export const loadSettingsTexts = (): Promise<void> =>
  loadPartTexts('settings', {
    'zh-CN': async () => (await import('../i18n/zh-cn/settings')).SETTINGS_TEXTS,
    en: async () => (await import('../i18n/en/settings')).SETTINGS_TEXTS,
  });
