import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../support/browser-available.js';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { ServiceProcess } from '../support/service-process';
import { Visitor } from './visitor';

const PASSWORD = 'callboard-demo';
/** A name that is no secure origin over plain HTTP, as on a local network. */
const PLAIN = 'callboard.test';

describe('The pages, in a browser', () => {
  let browser: Browser;
  let database: TestDatabase;
  let service: ServiceProcess;
  let visitor: Visitor;
  beforeAll(async () => {
    database = await createTestDatabase();
    [browser, service] = await Promise.all([
      chromium.launch({
        executablePath: findChromium(),
        args: ['--no-sandbox', `--host-resolver-rules=MAP ${PLAIN} 127.0.0.1`],
      }),
      ServiceProcess.start(database.url, { DEMO_DATA: 'on' }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.kill();
    await database?.drop();
  });
  beforeEach(async () => {
    visitor = await Visitor.come(browser, service.url);
  });
  afterEach(() => visitor.leave());

  it.each([
    ['/', 'Callboard'],
    ['/conversations/7', 'Callboard'],
    ['/admin', 'Callboard administration'],
    ['/admin/users', 'Callboard administration'],
  ])('open without a complaint and without barriers: %s', async (path, title) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const guest = await Visitor.come(browser, service.url, { colorScheme });
      const tab = await guest.open(path);
      await tab.sees('Demo accounts');
      expect(await tab.page.title()).toBe(title);
      expect(await tab.barriers()).toEqual([]);
      await tab.button('Log in as admin').click();
      await tab.sees('管理员');
      expect(await tab.barriers()).toEqual([]);
      expect(guest.complaints).toEqual([]);
      await guest.leave();
    }
  });

  it('keep a visitor logged in over reloads, in all tabs, and log out of all of them', async () => {
    const tab = await visitor.open('/');
    await tab.logIn('alice', PASSWORD);
    await tab.sees('爱丽丝');
    const second = await visitor.open('/');
    await second.sees('爱丽丝');
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([tab.page.reload(), second.page.reload()]);
      await Promise.all([tab.sees('爱丽丝'), second.sees('爱丽丝')]);
    }
    const [cookie, ...others] = await visitor.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: 'callboard_refresh',
      path: '/api/auth',
      httpOnly: true,
      sameSite: 'Strict',
      secure: false,
    });
    expect(await tab.kept()).toBe('[{"callboard.signed-in":"1"},{},""]');
    await tab.button('Log out').click();
    await Promise.all([tab.sees('Demo accounts'), second.sees('Demo accounts')]);
    expect(await visitor.cookies()).toEqual([]);
    await tab.page.reload();
    await tab.sees('Demo accounts');
    // The other way round: logging in reaches the other tab as well.
    await second.button('Log in as bob').click();
    await Promise.all([tab.sees('鲍勃'), second.sees('鲍勃')]);
    expect(visitor.complaints).toEqual([]);
  });

  it('say what is wrong with a log-in, and no more', async () => {
    const tab = await visitor.open('/');
    await tab.logIn('alice', 'wrong');
    await tab.sees('Account or password is wrong.');
    await tab.logIn('alice', PASSWORD);
    await tab.sees('爱丽丝');
    expect(await tab.page.getByRole('alert').count()).toBe(0);
  });

  it('count down where there were too many tries', async () => {
    const body = JSON.stringify({ account: 'door', password: 'wrong' });
    const headers = { 'content-type': 'application/json' };
    for (let count = 0; count < 10; count += 1)
      await fetch(`${service.url}/api/auth/login`, { method: 'POST', headers, body });
    const tab = await visitor.open('/admin');
    await tab.page.clock.install();
    await tab.logIn('door', PASSWORD);
    await tab.sees('Too many attempts.');
    await tab.sees(/^Again in 1[45]:\d\d$/);
    expect(await tab.button(/^Again in/).isDisabled()).toBe(true);
    expect(await tab.button('Log in as alice').isDisabled()).toBe(true);
    await tab.page.clock.fastForward('15:01');
    await tab.button('Log in').first().waitFor();
    expect(await tab.button('Log in').first().isEnabled()).toBe(true);
    expect(await tab.page.getByRole('alert').count()).toBe(0);
  });

  it('say that there is no connection, and go on with the session once there is', async () => {
    const tab = await visitor.open('/');
    await tab.logIn('alice', PASSWORD);
    await tab.sees('爱丽丝');
    await tab.page.route('**/api/auth/*', (route) => route.abort());
    await tab.page.reload();
    await tab.sees('No connection to the service.');
    await tab.page.unroute('**/api/auth/*');
    await tab.button('Try again').click();
    await tab.sees('爱丽丝');
  });

  it('end with the session, where that was ended elsewhere', async () => {
    const tab = await visitor.open('/');
    await tab.logIn('alice', PASSWORD);
    await tab.sees('爱丽丝');
    const answer = await tab.page.evaluate<number>(
      `fetch('/api/auth/logout', { method: 'POST' }).then(({ status }) => status)`,
    );
    expect(answer).toBe(200);
    await tab.page.reload();
    await tab.sees('Demo accounts');
    expect(await tab.kept()).toBe('[{},{},""]');
  });

  it('tell an administrator from others at /admin', async () => {
    const tab = await visitor.open('/admin');
    await tab.button('Log in as alice').click();
    await tab.sees('This account is not an administrator’s.');
    await tab.button('Log out').click();
    await tab.button('Log in as admin').click();
    await tab.sees('You are logged in as an administrator');
    await tab.page.getByRole('link', { name: 'Web client' }).click();
    await tab.sees('You are logged in');
    await tab.page.getByRole('link', { name: 'Administration' }).click();
    await tab.sees('You are logged in as an administrator');
    expect(visitor.complaints).toEqual([]);
  });

  it('speak the visitor’s language, or the one that was chosen', async () => {
    const chinese = await Visitor.come(browser, service.url, { locale: 'zh-CN' });
    const tab = await chinese.open('/');
    await tab.sees('演示账号');
    const language = (): Promise<string> => tab.page.evaluate<string>('document.documentElement.lang');
    expect(await language()).toBe('zh-CN');
    await tab.button('English').click();
    await tab.sees('Demo accounts');
    expect(await tab.button('English').getAttribute('aria-pressed')).toBe('true');
    await tab.page.reload();
    await tab.sees('Demo accounts');
    expect(await language()).toBe('en');
    await tab.button('中文').click();
    await tab.sees('演示账号');
    expect(chinese.complaints).toEqual([]);
    await chinese.leave();
  });

  it('fit on the smallest phone', async () => {
    const phone = await Visitor.come(browser, service.url, { viewport: { width: 320, height: 568 } });
    for (const path of ['/', '/admin']) {
      const tab = await phone.open(path);
      await tab.sees('Demo accounts');
      expect(await tab.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
    }
    await phone.leave();
  });

  it('work over plain HTTP on a local network, where browsers have no locks, in three tabs at once', async () => {
    const url = service.url.replace('127.0.0.1', PLAIN);
    const guest = await Visitor.come(browser, url);
    const tab = await guest.open('/');
    expect(await tab.page.evaluate<boolean>('isSecureContext')).toBe(false);
    await tab.button('Log in as alice').click();
    await tab.sees('爱丽丝');
    const second = await guest.open('/admin');
    const third = await guest.open('/settings');
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([tab, second, third].map(({ page }) => page.reload()));
      await Promise.all([tab, second, third].map((each) => each.sees('爱丽丝')));
    }
    await second.button('Log out').click();
    await tab.sees('Demo accounts');
    await guest.leave();
  });
});
