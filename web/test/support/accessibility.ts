import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // The other results would be collected for each element, too.
  resultTypes: ['violations'],
  // None of these rules reads style sheets. A sheet that axe loads itself fails with a warning while a test is offline.
  preload: { assets: ['media'] },
};

/**
 * Waits for animations to end, because elements that fade in have too little contrast. Endless animations are not
 * awaited.
 */
const ANIMATIONS_ENDED = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished),
).then(() => undefined)`;

/** Returns the violations of WCAG 2.2 AA on a page. Repeats the check until the page has finished loading. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  let barriers: string[] = [];
  const ask = async (): Promise<number> => {
    barriers = await scanNow(page);
    return barriers.length;
  };
  // The caller's assertion reports the remaining violations.
  await expect
    .poll(ask)
    .toBe(0)
    .catch(() => undefined);
  return barriers;
}

async function scanNow(page: Page): Promise<string[]> {
  await page.evaluate(ANIMATIONS_ENDED);
  // A page keeps axe for its next checks.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
