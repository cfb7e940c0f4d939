import { startPage } from '../shared/start-page';
import { App } from './app';
import { followInstallOffers } from './push/install';
import { followWorkerMessages } from './push/worker-messages';

followWorkerMessages();
followInstallOffers();

await startPage(<App />, {
  namespace: 'client',
  texts: {
    'zh-CN': async () => (await import('./i18n/zh-cn')).CLIENT_TEXTS,
    en: async () => (await import('./i18n/en')).CLIENT_TEXTS,
  },
});
