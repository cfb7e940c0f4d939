import { browserIsAvailable } from '../../test/support/browser-available.js';
import { CallPage, launchBrowser, PageServer } from '../../test/browser/call-page';
import type { BenchApp } from './bench-app';
import type { Row } from './measure';

const CALLS = 10;
const FIRST_USER = 100_001;

/**
 * Time from the click that answers a call until both sides have shown a first video frame, in two browsers on this
 * machine. Printed without a target. Returns nothing if no browser is installed.
 */
export async function firstFrame(bench: BenchApp): Promise<Row[]> {
  if (!browserIsAvailable()) return [];
  const [browser, pages] = await Promise.all([launchBrowser(), PageServer.start()]);
  try {
    const times: number[] = [];
    for (let index = 0; index < CALLS; index += 1) {
      const users = [FIRST_USER + 2 * index, FIRST_USER + 2 * index + 1];
      times.push(
        await timeOfCall(bench, users, (settings) => CallPage.open(browser, pages.origin, settings)),
      );
    }
    times.sort((a, b) => a - b);
    const what = `from accepting to both first frames, in two browsers`;
    return [
      { what: `${what}: median of ${CALLS}`, value: times[Math.floor(CALLS / 2)] ?? 0, unit: 'ms' },
      { what: `${what}: longest`, value: times.at(-1) ?? 0, unit: 'ms' },
    ];
  } finally {
    await browser.close();
    await pages.stop();
  }
}

type Open = (settings: { service: string; accessToken: string; calleeId?: number }) => Promise<CallPage>;

async function timeOfCall(bench: BenchApp, [caller = 0, callee = 0]: number[], open: Open): Promise<number> {
  const tokens = [await bench.token(caller), await bench.token(callee)];
  for (const token of tokens)
    await bench.app.inject({ url: '/api/calls/active', headers: { authorization: `Bearer ${token}` } });
  const called = await open({ service: bench.url, accessToken: tokens[1] ?? '' });
  const calling = await open({ service: bench.url, accessToken: tokens[0] ?? '', calleeId: callee });
  await calling.click('callButton');
  await called.until('ringing');
  const start = performance.timeOrigin + performance.now();
  await called.click('answerButton');
  const firstFrames = await Promise.all([called, calling].map((page) => page.firstFrameAt()));
  await called.click('hangUpButton');
  await calling.until('idle');
  await Promise.all([called.close(), calling.close()]);
  return Math.max(...firstFrames) - start;
}
