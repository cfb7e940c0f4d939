import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../../../test/browser/call-page.js';
import { eventually } from '../../../../test/support/service-process.js';
import { BuiltPackage } from '../support/built-package.js';
import { PASSWORD, PeopleOfService } from '../support/people.js';
import { Site } from './tabs.js';

/** Over HTTP/1.1 a browser opens six connections to an origin: with one stream per tab, the seventh tab would wait forever. */
describe('Tabs of one browser', () => {
  let built: BuiltPackage;
  let people: PeopleOfService;
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    [built, people, browser] = await Promise.all([
      BuiltPackage.make(),
      PeopleOfService.start(),
      launchBrowser(),
    ]);
    site = await Site.start(people.service.url, built.dist);
  });
  beforeEach(async () => {
    context = await browser.newContext();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser?.close();
    await Promise.all([people?.stop(), site?.stop()]);
    built?.remove();
  });

  /** Signs in, and records the received events and the states of the stream. */
  const listen = (page: Page, account: string): Promise<void> =>
    page.evaluate(
      async ([name, password]) => {
        const { Callboard, memoryStore } = (
          globalThis as unknown as { core: typeof import('../../src/index.js') }
        ).core;
        const client = new Callboard({ store: memoryStore() });
        const heard: string[] = [];
        const states: string[] = [];
        Object.assign(globalThis, { client, heard, states });
        await client.session.logIn(name, password);
        client.events.subscribe({
          onEvent: (event) => void heard.push('message' in event ? event.message.content : event.type),
          onState: (state) => void states.push(state),
        });
      },
      [account, PASSWORD] as const,
    );
  const heard = (page: Page): Promise<string[]> => page.evaluate('window.heard');
  const untilLive = (page: Page): Promise<unknown> => page.waitForFunction("window.states.at(-1) === 'live'");

  async function untilHeard(pages: Page[], expected: string[]): Promise<void> {
    for (const page of pages) {
      const now = await eventually(
        () => heard(page),
        (all) => all.length >= expected.length,
      );
      expect(now).toEqual(expected);
    }
  }

  it('share one stream, and another tab resumes it when the reading tab is closed', async () => {
    const [me, peer] = [await people.make(), await people.signIn()];
    const { id } = await peer.conversations.create({ body: { type: 'single', peer_id: me.id } });
    const say = (content: string): Promise<unknown> =>
      peer.messages.send({ path: { id }, body: { type: 'text', content } });
    const pages: Page[] = [];
    for (let tab = 0; tab < 8; tab += 1) {
      const page = await site.open(context);
      await listen(page, me.account);
      await untilLive(page);
      pages.push(page);
    }
    await say('to all');
    await untilHeard(pages, ['to all']);
    expect(site.count('GET /api/events')).toBe(1);

    const [first, ...others] = pages;
    await first?.close();
    await say('after the first was closed');
    await untilHeard(others, ['to all', 'after the first was closed']);
    expect(site.count('GET /api/events')).toBe(2);
  });

  it('have a stream per user when their users differ', async () => {
    const before = site.count('GET /api/events');
    for (const { account } of [await people.make(), await people.make()]) {
      const page = await site.open(context);
      await listen(page, account);
      await untilLive(page);
    }
    expect(site.count('GET /api/events')).toBe(before + 2);
  });
});
