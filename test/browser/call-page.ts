import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/browser-available.js';
import { exampleOf } from '../support/call-examples';
import { eventually, MAX_WAIT_MS } from '../support/waiting';

/** A browser without a window, whose camera and microphone are made up. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  });

/** Serves the page and the client, on an origin that is not the service's. */
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

/** What has come in at a terminal so far, and by which way (`page.html`). */
export interface Counters {
  state: string;
  session?: string;
  frames: number;
  videoBytes: number;
  audioBytes: number;
  way?: 'host' | 'srflx' | 'prflx' | 'relay';
  problems: string[];
}

interface Settings {
  service: string;
  /** Of the page's user. */
  accessToken: string;
  calleeId?: number;
  mediaType?: 'audio' | 'video';
}

/** The terminal of one user, in a page of its own. */
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
    await terminal.#untilReady();
    return terminal;
  }

  async click(button: 'callButton' | 'answerButton' | 'hangUpButton'): Promise<void> {
    await this.page.click(`#${button}`);
  }

  /** As a user who presses F5 in the call. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#untilReady();
  }

  counters = (): Promise<Counters> => this.page.evaluate<Counters>('window.counters()');

  /** Runs an expression in the page. */
  evaluate = <T>(expression: string): Promise<T> => this.page.evaluate<T>(expression);

  /** Waits for a state of the terminal. @throws {Error} that says how far it came */
  async until(state: string): Promise<Counters> {
    return eventually(this.counters, (now) => now.state === state);
  }

  /** When the first picture of the other one was shown, in milliseconds since 1970. */
  firstFrameAt = (): Promise<number> => this.page.evaluate<number>('window.firstFrame');

  close(): Promise<void> {
    return this.context.close();
  }

  async #untilReady(): Promise<void> {
    await this.page.waitForFunction('window.counters !== undefined');
  }
}
