import { randomBytes } from 'node:crypto';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test';
import type { ServiceProcess } from '../../../test/support/service-process';
import { recordToasts } from './toasts';

/** The administrator of the demo data, who creates the users. */
const FIRST_ADMIN = 1;
export const PASSWORD = 'callboard-demo';

/** Console messages while the network is cut, also of a service worker that is just being loaded. */
export const CUT = /Failed to load resource|ERR_|net::|network|fetch/i;

/** A report or signal that crosses the end of its call on the way is rejected with 409. No page can avoid that. */
const crossesEnd = (text: string, url: string): boolean =>
  text.includes('409') && /\/api\/calls\/\d+\/(?:media-state|signals)$/.test(url);

export interface Person {
  id: number;
  account: string;
  name: string;
}

interface Visit {
  /** Origin of the page; the service's URL if left out. */
  origin?: string;
  options?: BrowserContextOptions;
  /** Console messages that do not fail the test, for example while the network is cut. */
  mayLogErrors?: RegExp;
}

type Cookie = Awaited<ReturnType<BrowserContext['cookies']>>[number];

/** Marker in `localStorage` by which a page knows that a session cookie exists. */
const SIGNED_IN = (origin: string) => ({
  origin,
  localStorage: [{ name: 'callboard-signed-in', value: '1' }],
});

/** Creates the users and browsers of a test. */
export class Stage {
  readonly #contexts: BrowserContext[] = [];
  readonly #complaints: string[] = [];

  constructor(
    private readonly browser: Browser,
    readonly service: ServiceProcess,
  ) {}

  /** Creates a user that no other test uses. */
  async person({ name, role = 'user' }: { name?: string; role?: 'user' | 'admin' } = {}): Promise<Person> {
    const account = `p${randomBytes(5).toString('hex')}`;
    const body = { account, password: PASSWORD, name: name ?? `Person ${account}`, role };
    const { id } = await this.request(FIRST_ADMIN, 'POST', '/api/admin/users', body, 'admin');
    return { id, account, name: body.name };
  }

  /** Sends a request as a user and returns `data`. An error response fails the test. */
  async request(
    userId: number,
    method: string,
    path: string,
    body?: object | string,
    role = 'user',
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  ): Promise<any> {
    const { code, message, data } = await this.service.send(userId, method, path, body, role);
    if (code !== 0) throw new Error(`${method} ${path}: ${code} ${message}`);
    return data;
  }

  /** Sends a request as an administrator and returns `data`. An error response fails the test. */
  requestAsAdmin = (method: string, path: string, body?: object | string) =>
    this.request(FIRST_ADMIN, method, path, body, 'admin');

  /** Opens a separate browser context without a session. */
  async browserOf({ origin = this.service.url, options, mayLogErrors }: Visit = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      baseURL: origin,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      ...options,
    });
    this.#contexts.push(context);
    await recordToasts(context);
    const failOnErrors = (text: string, url = ''): void => {
      if (mayLogErrors?.test(text) !== true && !crossesEnd(text, url))
        this.#complaints.push(`${text} ${url}`.trim());
    };
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) failOnErrors(message.text(), message.location().url);
    });
    context.on('weberror', (error) => failOnErrors(String(error.error())));
    return context;
  }

  /** Opens a page in a separate browser context without a session. */
  async guest(path: string, visit?: Visit): Promise<Page> {
    const page = await (await this.browserOf(visit)).newPage();
    await page.goto(path);
    return page;
  }

  /**
   * Opens a page in a separate browser context in which the user is signed in. More tabs: `page.context().newPage()`.
   */
  async open(person: Person, path: string, visit: Visit = {}): Promise<Page> {
    const page = await this.emptyTab(person, visit);
    const isSignedIn = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/refresh'));
    await page.goto(path);
    await isSignedIn;
    return page;
  }

  /** Opens an empty tab in a separate browser context in which the user is signed in. */
  async emptyTab(person: Person, { options, ...visit }: Visit = {}): Promise<Page> {
    const origin = visit.origin ?? this.service.url;
    const storageState = { cookies: [await this.#logIn(person, origin)], origins: [SIGNED_IN(origin)] };
    const context = await this.browserOf({ ...visit, options: { ...options, storageState } });
    return context.newPage();
  }

  /** Logs in and returns the session cookie. */
  async #logIn({ account }: Person, origin: string): Promise<Cookie> {
    const answer = await fetch(`${this.service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, password: PASSWORD, cookie: true }),
    });
    const [pair = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? [];
    const [name = '', value = ''] = pair.split('=');
    const domain = new URL(origin).hostname;
    return {
      name,
      value,
      domain,
      path: '/api/auth',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict',
    };
  }

  /** Closes all browsers. Fails if there were unexpected console messages. */
  async clear(): Promise<void> {
    // A route handler may still hold a response. Closing the context disposes of it, which would fail a passed test.
    const pages = this.#contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(this.#contexts.map((context) => context.close()));
    expect(this.#complaints).toEqual([]);
  }
}
