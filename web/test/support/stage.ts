import { randomBytes } from 'node:crypto';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test';
import type { ServiceProcess } from '../../../test/support/service-process';

/** The administrator of the demo data, by whom people are made. */
const FIRST_ADMIN = 1;
export const PASSWORD = 'callboard-demo';

export interface Person {
  id: number;
  account: string;
  name: string;
}

interface Visit {
  /** Where the page is reached; left out: where the service is. */
  origin?: string;
  options?: BrowserContextOptions;
  /** What the console may complain of, as where the network is cut. */
  mayComplain?: RegExp;
}

type Cookie = Awaited<ReturnType<BrowserContext['cookies']>>[number];

/** The mark by which a page knows that there is a cookie. */
const SIGNED_IN = (origin: string) => ({
  origin,
  localStorage: [{ name: 'callboard-signed-in', value: '1' }],
});

/** The people of a test and their browsers. */
export class Stage {
  readonly #contexts: BrowserContext[] = [];
  readonly #complaints: string[] = [];

  constructor(
    private readonly browser: Browser,
    readonly service: ServiceProcess,
  ) {}

  /** Makes somebody whom no other test knows. */
  async person({ name, role = 'user' }: { name?: string; role?: 'user' | 'admin' } = {}): Promise<Person> {
    const account = `p${randomBytes(5).toString('hex')}`;
    const body = { account, password: PASSWORD, name: name ?? `Person ${account}`, role };
    const { id } = await this.ask(FIRST_ADMIN, 'POST', '/api/admin/users', body, 'admin');
    return { id, account, name: body.name };
  }

  /** A request as somebody; answers `data`. What the service refuses fails the test. */
  async ask(
    userId: number,
    method: string,
    path: string,
    body?: object | string,
    role = 'user',
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  ): Promise<any> {
    const { code, message, data } = await this.service.send(userId, method, path, body, role);
    if (code !== 0) throw new Error(`${method} ${path}: ${code} ${message}`);
    return data;
  }

  /** The same as an administrator. */
  asAdmin = (method: string, path: string, body?: object | string) =>
    this.ask(FIRST_ADMIN, method, path, body, 'admin');

  /** A browser of its own, in which nobody is signed in. */
  async browserOf({ origin = this.service.url, options, mayComplain }: Visit = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      baseURL: origin,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      ...options,
    });
    this.#contexts.push(context);
    const complain = (text: string): void => {
      if (mayComplain?.test(text) !== true) this.#complaints.push(text);
    };
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complain(message.text());
    });
    context.on('weberror', (error) => complain(String(error.error())));
    return context;
  }

  /** A tab of a browser of its own, in which nobody is signed in. */
  async guest(path: string, visit?: Visit): Promise<Page> {
    const page = await (await this.browserOf(visit)).newPage();
    await page.goto(path);
    return page;
  }

  /** A tab of a browser of its own, in which somebody is signed in. More tabs: `page.context().newPage()`. */
  async open(person: Person, path: string, visit: Visit = {}): Promise<Page> {
    const page = await this.emptyTab(person, visit);
    const isSignedIn = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/refresh'));
    await page.goto(path);
    await isSignedIn;
    return page;
  }

  /** The same, before anything is opened in it. */
  async emptyTab(person: Person, { options, ...visit }: Visit = {}): Promise<Page> {
    const origin = visit.origin ?? this.service.url;
    const storageState = { cookies: [await this.#logIn(person, origin)], origins: [SIGNED_IN(origin)] };
    const context = await this.browserOf({ ...visit, options: { ...options, storageState } });
    return context.newPage();
  }

  /** The cookie that a browser has after a log-in. */
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

  /** Closes all browsers. Fails when a console has complained. */
  async clear(): Promise<void> {
    // A route handler may hold a response that closing disposes of, which would fail a test that has passed.
    const pages = this.#contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(this.#contexts.map((context) => context.close()));
    expect(this.#complaints).toEqual([]);
  }
}
