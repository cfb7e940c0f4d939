import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/journey';

/* Download sizes in Brotli (docs/performance.md, "Web app"): for the first screen of a page, and in total. */

const ASSETS = 'dist/web/assets';
const KILOBYTE = 1_000;
/** Libraries of media providers. They are loaded with the first call, if the service has a provider configured. */
const MEDIA = /^(agora|livekit)/i;
/** Parts that are loaded only when a user opens them: emoji, recorder, viewer of pictures. */
const ON_DEMAND = /^(emoji-picker|voice-recorder|viewer)-/;

/** Size in Brotli, or uncompressed if Brotli was no smaller. */
const sizeOf = (file: string): number =>
  statSync(join(ASSETS, `${file}.br`), { throwIfNoEntry: false })?.size ?? statSync(join(ASSETS, file)).size;

const kilobytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + sizeOf(file), 0) / KILOBYTE;

/** Records the assets that a tab requests from now on. */
function recordAssets(page: Page): Set<string> {
  const asked = new Set<string>();
  page.on('request', (request) => {
    const [, file] = /\/assets\/([^?]+)$/.exec(new URL(request.url()).pathname) ?? [];
    if (file !== undefined) asked.add(file);
  });
  return asked;
}

/** Visible only when the first screen is complete: a loading page has a heading, too. */
const chats = (page: Page) => page.getByRole('button', { name: /^(New chat|发起会话)$/ });
const charts = (page: Page) => page.getByRole('figure').last();

for (const [what, path, role, limit, screen] of [
  ['the first load of the client', '/', 'user', 150, chats],
  ['the first screen of the panel', '/admin', 'admin', 330, charts],
] as const)
  for (const locale of ['zh-CN', 'en-GB'])
    test(`${what} is at most ${limit} kB, ${locale}`, async ({ stage }) => {
      const person = await stage.person({ role });
      const page = await stage.emptyTab(person, { options: { locale } });
      // Prefetching is started by idle callbacks, so these are disabled.
      await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
      const asked = recordAssets(page);
      await page.goto(path);
      await expect(screen(page)).toBeVisible();
      await page.waitForLoadState('load');
      const size = kilobytes(asked);
      test.info().annotations.push({ type: 'size', description: `${size.toFixed(1)} kB` });
      expect(asked.size).toBeGreaterThan(5);
      expect(size).toBeLessThanOrEqual(limit);
    });

/** Returns all assets reachable from a page: those that it references, those that they reference, and so on. */
function assetsOf(page: string): string[] {
  const names = readdirSync(ASSETS).filter(
    (file) => /\.(js|css)$/.test(file) && !MEDIA.test(file) && !ON_DEMAND.test(file),
  );
  const found = new Set<string>();
  const texts = [readFileSync(join('dist/web', page), 'utf8')];
  for (let text = texts.pop(); text !== undefined; text = texts.pop())
    for (const name of names.filter((one) => !found.has(one) && text?.includes(one))) {
      found.add(name);
      texts.push(readFileSync(join(ASSETS, name), 'utf8'));
    }
  return [...found];
}

for (const [what, page, limit] of [
  ['the client', 'index.html', 245],
  ['the panel', 'admin/index.html', 480],
] as const)
  test(`all of ${what}, in both languages, is at most ${limit} kB, but for parts on demand`, () => {
    const files = assetsOf(page);
    const size = kilobytes(files);
    test.info().annotations.push({ type: 'size', description: `${size.toFixed(1)} kB` });
    expect(files.length).toBeGreaterThan(20);
    expect(size).toBeLessThanOrEqual(limit);
  });

test('the service worker is at most 2 kB: browsers start it for every push', () => {
  const size = statSync('dist/web/sw.js.br').size / KILOBYTE;
  test.info().annotations.push({ type: 'size', description: `${size.toFixed(1)} kB` });
  expect(size).toBeLessThanOrEqual(2);
});
