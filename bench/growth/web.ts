import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/browser-available.js';
import type { BenchApp, BenchPart } from './bench-app';
import { insertGroups } from './device-groups';
import type { Row } from './measure';
import { conversationOf, logIn, insertUsers } from './web/people';
import { measureScrolling } from './web/scrolling';
import { measureSends } from './web/sends';
import { measureTree } from './web/tree';
import { measureUsers } from './web/users';

/** The built web app in headless Chromium, with 10,000 groups and 100,000 users. */
export const web: BenchPart = {
  name: 'web',
  async run(bench) {
    const executablePath = findChromium();
    if (executablePath === undefined) {
      process.stderr.write('web: skipped, Chromium is not installed\n');
      return [];
    }
    await insertUsers(bench);
    await insertGroups(bench.dataSource, [100, 99]);
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--enable-precise-memory-info'],
    });
    try {
      return await measurePages(bench, browser);
    } finally {
      await browser.close();
    }
  },
};

async function measurePages(bench: BenchApp, browser: Browser): Promise<Row[]> {
  const open = async (account: string, path: string): Promise<Page> => {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1440, height: 900 },
      storageState: await logIn(bench.url, account),
    });
    const page = await context.newPage();
    await page.goto(`${bench.url}${path}`);
    return page;
  };
  const rows: Row[] = [];
  for (const measure of [
    () => measureSends(open, () => conversationOf(bench)),
    () => measureTree(open),
    () => measureUsers(open),
    () => measureScrolling(open, bench),
  ]) {
    rows.push(...(await measure()));
    // Open pages use processor time.
    for (const context of browser.contexts()) await context.close();
  }
  return rows;
}
