import '../src/node-version';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { readOptions, runScript } from './command-line';

const USAGE = `Usage: npm run pictures [-- --chromium <path>]
Makes the pictures of the README anew, in docs/pictures: of /docs and of a terminal, of a service with demo data. It needs
a Chromium, Debian's unless another is named.`;

const FOLDER = 'docs/pictures';
/** As wide as a README is shown. */
const WIDTH = 1000;
const LINE_HEIGHT = 19;
const PADDING = 20;
const MOST_COLUMNS = 112;
const START_ATTEMPTS = 200;

async function main(): Promise<void> {
  const { chromium: executablePath = '/usr/bin/chromium' } = readOptions(USAGE, {
    chromium: { type: 'string' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'callboard-pictures-'));
  const port = await freePort();
  const service = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `sqlite:${folder}/callboard.sqlite`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  service.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  try {
    await untilReady(port, service);
    mkdirSync(FOLDER, { recursive: true });
    await takeDocs(executablePath, port);
    // The reader's own service is on its usual port, and keeps its data in the usual place.
    const usual = (text: string): string =>
      text
        .replaceAll(/(?:localhost|127\.0\.0\.1):\d+/g, 'localhost:3000')
        .replaceAll(`${folder}/`, './data/');
    writeFileSync(join(FOLDER, 'terminal.svg'), drawTerminal(terminalLines(printed, port).map(usual)));
  } finally {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilReady(port: number, service: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS && service.exitCode === null; attempt += 1) {
    if (
      await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await pause(50);
  }
  throw new Error('The service did not start');
}

/** The page of the interface, with one operation open. */
async function takeDocs(executablePath: string, port: number): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 680 } });
    await page.goto(`http://127.0.0.1:${port}/docs`);
    const calls = page.locator('.opblock-tag-section', { hasText: /^Calls/ }).first();
    await calls.locator('.opblock').first().waitFor();
    await calls.scrollIntoViewIfNeeded();
    await calls.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await page.screenshot({ path: join(FOLDER, 'docs.png') });
  } finally {
    await browser.close();
  }
}

/** What somebody sees who starts the service and asks it something. */
function terminalLines(printed: string, port: number): string[] {
  const token = /ALICE=(\S+)/.exec(printed)?.[1] ?? '';
  const ask = (path: string): string[] => {
    const json = execFileSync('curl', [
      '-s',
      '-H',
      `Authorization: Bearer ${token}`,
      `http://127.0.0.1:${port}${path}`,
    ]);
    return JSON.stringify(JSON.parse(json.toString()), null, 2).split('\n');
  };
  const started = printed
    .split('\n')
    .filter((line) => line.trim() !== '' && !/Server listening|INFO: request/.test(line))
    .map((line) => line.replace(/=ey\S+/, (tokenText) => `${tokenText.slice(0, 24)}…`));
  const path = '/api/messages/conversations/1/messages?per_page=1';
  return [
    '$ npm start',
    ...started,
    '',
    `$ curl -s -H "Authorization: Bearer $ALICE" "$API${path.slice('/api'.length)}"`,
    ...ask(path).slice(0, 24),
    '  …',
  ];
}

/** Lines of text as a picture of a terminal. */
function drawTerminal(lines: string[]): string {
  const height = lines.length * LINE_HEIGHT + 2 * PADDING;
  const rows = lines.map((line, index) => {
    const shown = line.length > MOST_COLUMNS ? `${line.slice(0, MOST_COLUMNS - 1)}…` : line;
    const place = `style="white-space:pre" x="${PADDING}" y="${PADDING + (index + 0.75) * LINE_HEIGHT}"`;
    return `<text ${place}${line.startsWith('$') ? ' fill="#8ddb8c"' : ''}>${escapeXml(shown)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#1c2128"/>`,
    `<g fill="#cdd9e5" font-size="14" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

runScript(main);
