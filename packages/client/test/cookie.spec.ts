import { Callboard, cookieStore } from '../src/index.js';
import { PASSWORD, PeopleOfService } from './support/people.js';

/** A browser's cookie jar for the service's cookie, and the headers that a page of the service's own origin sends. */
class Browser {
  cookie: string | undefined;
  readonly bodies: string[] = [];

  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('Sec-Fetch-Site', 'same-origin');
    if (this.cookie !== undefined) headers.set('Cookie', this.cookie);
    const answer = await fetch(url, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      this.cookie = pair.endsWith('=') ? undefined : pair;
    }
    this.bodies.push(await answer.clone().text());
    return answer;
  };
}

describe('A session whose refresh token is in a cookie', () => {
  let people: PeopleOfService;
  let account: string;
  beforeAll(async () => {
    people = await PeopleOfService.start();
    ({ account } = await people.make());
  });
  afterAll(() => people?.stop());

  const visit = ({ fetch }: Browser): Callboard =>
    new Callboard({ baseUrl: people.service.url, fetch, store: cookieStore() });

  it('survives a reload, hides the token from scripts, and ends with a log-out', async () => {
    const browser = new Browser();
    const user = await visit(browser).session.logIn(account, PASSWORD);
    const [, first = ''] = browser.cookie?.split('=') ?? [];
    expect(first).toMatch(/^[\w-]{43}$/);

    const reloaded = visit(browser);
    expect(await reloaded.session.restore()).toEqual(user);
    expect((await reloaded.conversations.list()).items).toEqual([]);
    const [, second = ''] = browser.cookie?.split('=') ?? [];
    expect(second).not.toBe(first);
    for (const token of [first, second]) expect(browser.bodies.join()).not.toContain(token);

    await reloaded.session.logOut();
    expect(browser.cookie).toBeUndefined();
    expect(await visit(browser).session.restore()).toBeNull();
  });
});
