import type { Page } from '@playwright/test';

/**
 * Holds the next request of a page with this method and address until `release` is called; `asked` resolves when it is sent.
 * With `failure` it gets this response then, instead of that of the service.
 */
export async function holdRequest(
  page: Page,
  method: string,
  url: RegExp,
  failure?: object,
): Promise<{ asked: Promise<void>; release: () => void }> {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let hasHeld = false;
  await page.route(url, async (route) => {
    if (hasHeld || route.request().method() !== method) return route.fallback();
    hasHeld = true;
    asked.resolve();
    await released.promise;
    return failure === undefined ? route.continue() : route.fulfill({ json: failure });
  });
  return { asked: asked.promise, release: released.resolve };
}
