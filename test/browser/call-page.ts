import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/browser-available.js';
import { exampleOf } from '../support/call-examples';
import { eventually, MAX_WAIT_MS } from '../support/waiting';

/** Launches a headless browser with a fake camera and microphone. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  });

/** Serves the page and the client on another origin than the service's. */
export class PageServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<PageServer> {
    const page = readFileSync('test/browser/page.html', 'utf8').replace(
      '/* example */',
      exampleOf('webrtc').replaceAll('$', '$$$$'),
    );
    const server = createServer((request, response) => {
      const name = basename(request.url?.split(/[?#]/)[0] ?? '');
      if (name.endsWith('.mjs'))
        response
          .setHeader('Content-Type', 'text/javascript')
          .end(readFileSync(`test/browser/client/${name}`, 'utf8'));
      else response.setHeader('Content-Type', 'text/html').end(page);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PageServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Counters of the media that a terminal has received, and its selected kind of ICE candidate (`page.html`). */
export interface Counters {
  state: string;
  session?: string;
  frames: number;
  videoBytes: number;
  audioBytes: number;
  candidateType?: 'host' | 'srflx' | 'prflx' | 'relay';
  problems: string[];
}

interface Settings {
  service: string;
  /** Access token of the page's user. */
  accessToken: string;
  calleeId?: number;
  mediaType?: 'audio' | 'video';
}

/** A page with the terminal of one user. */
export class CallPage {
  private constructor(
    private readonly context: BrowserContext,
    private readonly page: Page,
  ) {}

  static async open(
    browser: Browser,
    origin: string,
    { mediaType = 'video', ...more }: Settings,
  ): Promise<CallPage> {
    const settings = encodeURIComponent(JSON.stringify({ mediaType, ...more }));
    const context = await browser.newContext();
    context.setDefaultTimeout(MAX_WAIT_MS);
    const page = await context.newPage();
    const terminal = new CallPage(context, page);
    await page.goto(`${origin}/#${settings}`);
    await terminal.#waitUntilReady();
    return terminal;
  }

  async click(button: 'callButton' | 'answerButton' | 'hangUpButton'): Promise<void> {
    await this.page.click(`#${button}`);
  }

  /** Reloads the page during the call, as F5 does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#waitUntilReady();
  }

  counters = (): Promise<Counters> => this.page.evaluate<Counters>('window.counters()');

  /** Runs an expression in the page. */
  evaluate = <T>(expression: string): Promise<T> => this.page.evaluate<T>(expression);

  /** Waits for a state of the terminal. @throws {Error} with the last counters */
  async until(state: string): Promise<Counters> {
    return eventually(this.counters, (now) => now.state === state);
  }

  /** Time of the first video frame of the other user, in milliseconds since 1970. */
  firstFrameAt = (): Promise<number> => this.page.evaluate<number>('window.firstFrame');

  close(): Promise<void> {
    return this.context.close();
  }

  async #waitUntilReady(): Promise<void> {
    await this.page.waitForFunction('window.counters !== undefined');
  }
}
