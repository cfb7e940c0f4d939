import type { Page } from '@playwright/test';

/**
 * Records the requests for an object that start after its deletion. Call it once the page shows the object: polls before the
 * deletion get no response, because the one of a poll that arrives during the deletion would be a 404.
 */
export async function recordRequestsAfterDelete(page: Page, path: string): Promise<readonly string[]> {
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  );
  const requests: string[] = [];
  let isDeleted = false;
  const isOfObject = (url: string): boolean => new URL(url).pathname === path;
  page.on('requestfinished', (request) => {
    if (isOfObject(request.url()) && request.method() === 'DELETE') isDeleted = true;
  });
  page.on('request', (request) => {
    if (isOfObject(request.url()) && isDeleted) requests.push(request.method());
  });
  return requests;
}
