import type { Page } from '@playwright/test';

/** Delays the responses to requests of a method whose URL matches, until `release` is called. */
export async function holdResponses(
  page: Page,
  method: string,
  url: string | RegExp,
): Promise<{ isHeld: Promise<void>; release: () => void }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    held.resolve();
    await released.promise;
    return route.fulfill({ response });
  });
  return { isHeld: held.promise, release: released.resolve };
}
