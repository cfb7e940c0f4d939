import { startPage } from '../shared/start-page';
import { Panel } from './panel';

await startPage(<Panel />, {
  namespace: 'panel',
  texts: {
    'zh-CN': async () => (await import('./i18n/zh-cn')).PANEL_TEXTS,
    en: async () => (await import('./i18n/en')).PANEL_TEXTS,
  },
});
