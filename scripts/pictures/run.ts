import '../../src/node-version';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions, runScript } from '../command-line';
import { findChromium } from '../find-chromium';
import { takePages } from './pages';
import { drawTerminal, terminalLines } from './terminal';

const USAGE = `Usage: npm run pictures [-- --chromium <path>]
Regenerates the pictures of the README and the documents in docs/pictures: the web app, /docs and a terminal, with demo
data. Requires Chromium (by default Debian's), and fonts with Chinese characters and emoji.`;

const FOLDER = 'docs/pictures';
const START_ATTEMPTS = 200;

async function main(): Promise<void> {
  const { chromium = findChromium() } = readOptions(USAGE, { chromium: { type: 'string' } });
  const folder = mkdtempSync(join(tmpdir(), 'callboard-pictures-'));
  const port = await freePort();
  const service = spawn(process.execPath, ['dist/bundle/main.js'], {
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
    // Replaces the temporary port and folder by the default ones, which a reader's service would print.
    const usual = (text: string): string =>
      text
        .replaceAll(/(?:localhost|127\.0\.0\.1):\d+/g, 'localhost:3000')
        .replaceAll(`${folder}/`, './data/');
    writeFileSync(join(FOLDER, 'terminal.svg'), drawTerminal(terminalLines(printed, port).map(usual)));
    await takePages({
      executablePath: chromium,
      origin: `http://localhost:${port}`,
      folder: FOLDER,
      scratch: folder,
    });
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

runScript(main);
