import { PushProviders } from '../../../test/support/push-providers';
import { provideService, START_MS, test as journey } from './journey';

/** A test against a service that sends pushes to providers on this machine, without a delay. */
export const test = journey.extend<object, { providers: PushProviders }>({
  providers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from the destructuring
    async ({}, provide) => {
      const providers = await PushProviders.open();
      await provide(providers);
      await providers.close();
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ providers }, provide) =>
      provideService({ ...providers.env, PUSH_ACTIVE_DELAY_SECONDS: '0', MESSAGE_LANGUAGE: 'en' }, provide),
    { scope: 'worker', timeout: START_MS },
  ],
});
