import type { Language } from './i18n';

/** The only texts that are bundled with the page: they state that the other texts did not load. */
export const START_FAILED: Record<Language, { text: string; retry: string }> = {
  'zh-CN': { text: '页面加载失败，请检查网络连接。', retry: '重试' },
  en: { text: 'The page could not be loaded. Check your connection.', retry: 'Try again' },
};
