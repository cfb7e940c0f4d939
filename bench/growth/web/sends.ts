import type { Page } from 'playwright-core';
import type { Row } from '../measure';
import { at, atMost } from './figures';
import { type Open, WRITERS } from './people';

const MESSAGES = 30;

/** Time from the key press that sends a message in one window until its text is painted in the other one. */
export async function measureSends(open: Open, converse: () => Promise<number>): Promise<Row[]> {
  const path = `/conversations/${await converse()}`;
  const [sender, reader] = [await open(WRITERS[0], path), await open(WRITERS[1], path)];
  const field = sender.getByRole('textbox', { name: 'Message' });
  const isThere = await field.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    process.stderr.write('web: sends skipped, the chat has no message field\n');
    return [];
  }
  await reader.getByRole('log').waitFor();
  const took: number[] = [];
  for (let index = 0; index < MESSAGES; index += 1) {
    const text = `message ${index} of ${MESSAGES}`;
    const seen = whenSeen(reader, text);
    await field.fill(text);
    const sent = await pressEnter(sender);
    took.push((await seen) - sent);
  }
  return [atMost('from sent to seen in the other window, median', at(took, 0.5), 'ms', 100)];
}

/** Resolves when the text is painted, with the time of the machine's clock. */
const whenSeen = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    `(async () => {
      const log = document.querySelector('[role=log]');
      while (!log.textContent.includes(${JSON.stringify(text)})) await new Promise(requestAnimationFrame);
      return performance.timeOrigin + performance.now();
    })()`,
  );

async function pressEnter(page: Page): Promise<number> {
  await page.evaluate(
    `document.activeElement.addEventListener('keydown', () => { globalThis.sentAt = performance.timeOrigin + performance.now(); }, { capture: true, once: true })`,
  );
  await page.keyboard.press('Enter');
  return page.evaluate('globalThis.sentAt');
}
