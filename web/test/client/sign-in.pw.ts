import type { Page } from '@playwright/test';
import { PLAIN_HOST } from '../../playwright.config';
import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';
import { SlowResponses } from '../support/slow-responses';
import { CUT, PASSWORD, type Person } from '../support/stage';

/** Chromium's console message about a failed log-in. */
const REFUSED = /status of (401|429)/;

const demo = (page: Page) => page.getByRole('heading', { name: 'Demo accounts' });
/** The name of the signed-in user in the menu. */
const person = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true });

async function logIn(page: Page, { account }: Pick<Person, 'account'>, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Account' }).fill(account);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/**
 * Returns all storage and cookies that scripts can read, except for the tab's terminal id for calls and that of the browser for
 * Web Push, which it gets once it is idle.
 */
const kept = (page: Page) =>
  page.evaluate(() => {
    const [ofBrowser, ofWindow] = [localStorage, sessionStorage].map((storage) => {
      const { 'callboard.browser': _browser, 'callboard-terminal': _terminal, ...others } = storage;
      return others;
    });
    return JSON.stringify([ofBrowser, ofWindow, document.cookie]);
  });

test('the pages open without failed requests, console errors or accessibility violations', async ({
  stage,
}) => {
  for (const [path, title] of [
    ['/', 'Callboard'],
    ['/conversations/7', 'Callboard'],
    ['/admin', 'Callboard administration'],
    ['/admin/users', 'Callboard administration'],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await stage.browserOf({ options: { colorScheme } });
      const page = await context.newPage();
      const statuses: number[] = [];
      page.on('response', (response) => statuses.push(response.status()));
      await page.goto(path);
      await expect(demo(page)).toBeVisible();
      expect(await page.title()).toBe(title);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(statuses.filter((status) => status >= 300)).toEqual([]);
      await context.close();
    }
  }
});

test('demo accounts log in with one click or by keyboard', { tag: '@smoke' }, async ({ stage }) => {
  const page = await stage.guest('/');
  await page.getByRole('button', { name: /bob$/ }).focus();
  await page.keyboard.press('Enter');
  await expect(person(page, '鲍勃')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Chats' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toBeHidden();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.getByRole('button', { name: /admin$/ }).click();
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toBeVisible();
});

test('a session survives reloads in all tabs; a log-out ends it in all of them', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const bob = await stage.person({ name: 'Bob' });
  const first = await stage.guest('/settings');
  await logIn(first, alice);
  await expect(person(first, 'Alice')).toBeVisible();
  const second = await first.context().newPage();
  await second.goto('/');
  await expect(person(second, 'Alice')).toBeVisible();
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([first.reload(), second.reload()]);
    await Promise.all([first, second].map((page) => expect(person(page, 'Alice')).toBeVisible()));
  }
  const [cookie, ...others] = await first.context().cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({
    name: 'callboard_refresh',
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Strict',
    secure: false,
  });
  expect(await kept(first)).toBe('[{"callboard-signed-in":"1"},{},""]');
  await first.getByRole('button', { name: 'Log out', exact: true }).click();
  await Promise.all([expect(demo(first)).toBeVisible(), expect(demo(second)).toBeVisible()]);
  await expect.poll(() => first.context().cookies()).toEqual([]);
  await first.reload();
  await expect(demo(first)).toBeVisible();
  // In the other direction: a log-in reaches the other tab as well.
  await logIn(second, bob);
  await Promise.all([first, second].map((page) => expect(person(page, 'Bob')).toBeVisible()));
});

test('a wrong password shows an error that does not reveal whether the account exists', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await stage.guest('/', { mayLogErrors: REFUSED });
  await logIn(page, alice, 'wrong-password');
  await expect(page.getByRole('alert')).toHaveText('Incorrect account or password.');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await expect(page.getByRole('textbox', { name: 'Account' })).toHaveValue(alice.account);
  await logIn(page, alice);
  await expect(person(page, 'Alice')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('too many attempts start a countdown', async ({ stage }) => {
  const { account } = await stage.person();
  const body = JSON.stringify({ account, password: 'wrong-password' });
  const headers = { 'content-type': 'application/json' };
  for (let count = 0; count < 10; count += 1)
    await fetch(`${stage.service.url}/api/auth/login`, { method: 'POST', headers, body });
  const page = await stage.guest('/admin', { mayLogErrors: REFUSED });
  await page.clock.install();
  await logIn(page, { account });
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Wait a moment, then try again.');
  await expect(page.getByRole('button', { name: /^Try again in \d+:\d\d$/ })).toBeDisabled();
  await expect(page.getByRole('button', { name: /alice$/ })).toBeDisabled();
  // The countdown must survive a change of the system clock: setting it back by a day does not add a day.
  await page.clock.setSystemTime(Date.now() - 86_400_000);
  await page.clock.fastForward('15:01');
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('without a connection an error is shown, and the session continues later', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await stage.open(alice, '/settings', { mayLogErrors: CUT });
  await expect(person(page, 'Alice')).toBeVisible();
  await page.route('**/api/auth/*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('The service cannot be reached');
  await page.unroute('**/api/auth/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(person(page, 'Alice')).toBeVisible();
  // A log-out that has not reached the service must not look successful.
  await page.route('**/api/auth/logout', (route) => route.abort());
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('this browser would still be logged in');
  await page.unroute('**/api/auth/logout');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.reload();
  await expect(demo(page)).toBeVisible();
});

test('a page closed during a token refresh leaves the session to the next page', async ({ stage }) => {
  const REFRESH = '/api/auth/refresh';
  const proxy = await SlowResponses.open(stage.service.url);
  const page = await stage.open(await stage.person({ name: 'Alice' }), '/settings', {
    origin: proxy.url,
    // The next page sends the cookie that the previous one has already used.
    mayLogErrors: /status of 401/,
  });
  await expect(person(page, 'Alice')).toBeVisible();
  const isHeld = proxy.holdNext(REFRESH);
  await page.reload();
  await isHeld;
  const isLate = page.waitForResponse((answer) => answer.url().endsWith(REFRESH) && answer.status() === 401);
  await page.goto('/contacts');
  await isLate;
  proxy.release();
  await expect(person(page, 'Alice')).toBeVisible();
  await page.close();
  await proxy.close();
});

test('a session ended elsewhere is logged out at the next visit', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  // The cookie was deleted, but the marker remains, so the page still tries to refresh.
  const page = await stage.open(alice, '/settings', { mayLogErrors: /status of 4(01|22)/ });
  await expect(person(page, 'Alice')).toBeVisible();
  expect(await page.evaluate(async () => (await fetch('/api/auth/logout', { method: 'POST' })).status)).toBe(
    200,
  );
  await page.reload();
  await expect(demo(page)).toBeVisible();
  expect(await kept(page)).toBe('[{},{},""]');
});

test('/admin admits administrators only', async ({ stage, admin }) => {
  const alice = await stage.person();
  const page = await stage.guest('/admin');
  await logIn(page, alice);
  await expect(page.getByText('This account isn’t an administrator.')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await logIn(page, admin);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused();
  await page.goto('/');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
});

test('the pages use the browser’s language, or the selected one', async ({ stage }) => {
  for (const path of ['/', '/admin']) {
    const page = await stage.guest(path, { options: { locale: 'zh-CN' } });
    await expect(page.getByRole('heading', { name: '演示账号' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'English' }).click();
    await expect(demo(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'English' })).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(demo(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.getByRole('button', { name: '中文' }).click();
    await expect(page.getByRole('heading', { name: '演示账号' })).toBeVisible();
  }
});

test('the log-in page fits the smallest phone', async ({ stage }) => {
  for (const path of ['/', '/admin']) {
    const page = await stage.guest(path, { options: { viewport: { width: 320, height: 568 } } });
    await expect(demo(page)).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    // The rest is reachable by scrolling.
    await page.getByText(/^Version/).scrollIntoViewIfNeeded();
    await expect(page.getByText(/^Version/)).toBeInViewport();
  }
});

test('over plain HTTP, without Web Locks, three tabs stay logged in', async ({ stage, admin }) => {
  const origin = stage.service.url.replace('127.0.0.1', PLAIN_HOST);
  // Without locks, a tab can lose a race for the refresh token and has to retry.
  const first = await stage.guest('/', { origin, mayLogErrors: /status of 401/ });
  expect(await first.evaluate(() => isSecureContext)).toBe(false);
  await logIn(first, admin);
  await expect(person(first, admin.name)).toBeVisible();
  const [second, third] = [await first.context().newPage(), await first.context().newPage()];
  await Promise.all([second.goto('/admin'), third.goto('/settings')]);
  const tabs = [first, second, third];
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(tabs.map((page) => page.reload()));
    await Promise.all(tabs.map((page) => expect(page.getByText(admin.name).first()).toBeVisible()));
  }
  await third.getByRole('button', { name: 'Log out', exact: true }).click();
  await Promise.all(tabs.map((page) => expect(demo(page)).toBeVisible()));
});

test('a log-out in the panel deletes the drafts and unsent messages of the web client', async ({ stage }) => {
  const amy = await stage.person({ name: 'Amy', role: 'admin' });
  const id = await singleChat(stage, amy, await stage.person({ name: 'Bob' }));
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: CUT });
  const chat = new ChatOnPage(page);
  await page.route('**/api/messages/conversations/*/messages', (route) => route.abort());
  await chat.write('secret message');
  await expect(chat.message('secret message')).toContainText('Waiting for connection');
  await chat.box.fill('secret plan');
  const secrets = () =>
    page.evaluate(() => Object.values(localStorage).filter((text) => text.includes('secret')));
  await expect.poll(secrets).toHaveLength(2);
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Amy' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('textbox', { name: 'Account' })).toBeVisible();
  expect(await secrets()).toEqual([]);
});
