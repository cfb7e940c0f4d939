import '../../src/node-version';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as chromiumBrowser } from 'playwright-core';
import { readOptions, runScript } from '../command-line';
import { findChromium } from '../find-chromium';
import { RECORD_FILM } from './film';
import { PAPERS } from './papers';
import { SCENE_SIZE, SCENES } from './scenes';
import { whistle } from './sound';

const USAGE = `Usage: npm run demo-media [-- --chromium <path>]
Regenerates the pictures, documents, sound and video of the demo data in web/public/demo. Requires Chromium (by default
Debian's), and a font with Chinese characters.`;

const FOLDER = 'web/public/demo';

async function main(): Promise<void> {
  const { chromium = findChromium() } = readOptions(USAGE, { chromium: { type: 'string' } });
  const write = (name: string, bytes: Buffer): void => writeFileSync(join(FOLDER, name), bytes);
  mkdirSync(FOLDER, { recursive: true });
  write('note.wav', whistle());
  const browser = await chromiumBrowser.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: SCENE_SIZE });
    for (const [name, svg] of Object.entries(SCENES)) {
      await page.setContent(`<style>body { margin: 0 }</style>${svg}`);
      await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: 80 });
    }
    for (const [name, html] of Object.entries(PAPERS)) {
      await page.setContent(html);
      await page.pdf({ path: join(FOLDER, `${name}.pdf`), preferCSSPageSize: true, printBackground: true });
    }
    await page.setContent('');
    const { poster, film } = await page.evaluate<{ poster: string; film: string }>(RECORD_FILM);
    write('view.jpg', Buffer.from(poster, 'base64'));
    write('view.mp4', Buffer.from(film, 'base64'));
  } finally {
    await browser.close();
  }
}

runScript(main);
