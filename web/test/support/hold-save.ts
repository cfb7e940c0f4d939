import type { Page } from '@playwright/test';

/** Holds the next change of the own profile until `release` is called. */
export async function holdSave(page: Page): Promise<{ asked: Promise<void>; release: () => void }> {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/auth/me', async (route) => {
    if (route.request().method() === 'PUT') {
      asked.resolve();
      await released.promise;
    }
    await route.continue();
  });
  return { asked: asked.promise, release: released.resolve };
}
