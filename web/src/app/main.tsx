import { startPage } from '../shared/start-page';
import { App } from './app';

await startPage(<App />, {
  namespace: 'client',
  texts: {
    'zh-CN': async () => (await import('./i18n/zh-cn')).CLIENT_TEXTS,
    en: async () => (await import('./i18n/en')).CLIENT_TEXTS,
  },
});
