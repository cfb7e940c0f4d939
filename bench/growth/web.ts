import { chromium } from 'playwright-core';
import { findChromium } from '../../test/support/browser-available.js';
import type { BenchApp, BenchPart } from './bench-app';
import { insertGroups } from './device-groups';
import type { Row } from './measure';
import { conversationOf, insertUsers, logIn, type Open } from './web/people';
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
    const rows: Row[] = [];
    // A browser each: what earlier pages leave in it costs frames.
    for (const measure of [
      (open: Open) => measureSends(open, () => conversationOf(bench)),
      measureTree,
      measureUsers,
      (open: Open) => measureScrolling(open, bench),
    ])
      rows.push(...(await inBrowser(executablePath, bench, measure)));
    return rows;
  },
};

async function inBrowser(
  executablePath: string,
  { url }: BenchApp,
  measure: (open: Open) => Promise<Row[]>,
): Promise<Row[]> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  });
  try {
    return await measure(async (account, path) => {
      const context = await browser.newContext({
        locale: 'en-GB',
        viewport: { width: 1440, height: 900 },
        storageState: await logIn(url, account),
      });
      const page = await context.newPage();
      await page.goto(`${url}${path}`);
      return page;
    });
  } finally {
    await browser.close();
  }
}
