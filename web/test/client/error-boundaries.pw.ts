import type { Page, Route } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { call, callWindow, contactOf, RUNNING_DURATION, createContacts, expectVideo } from '../support/call';

/** Console messages about chunks that fail to load and components that throw. */
const BROKEN =
  /ERR_FAILED|ERR_INTERNET_DISCONNECTED|could not be loaded|A part of the page|forced|network error|fetching the script/;

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });
const go = (page: Page, title: string) => menu(page).getByRole('link', { name: title }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const failed = (page: Page) => page.getByRole('alert').filter({ hasText: 'Could not load this part.' });

/** Marks the document, so that a reload can be detected. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in globalThis);

/** Replaces the chunk of a screen with one that throws when it is rendered. */
const throwing = (route: Route): Promise<void> => {
  const [, name = ''] = /\/(\w+)-screen-/.exec(route.request().url()) ?? [];
  const component = `${name.charAt(0).toUpperCase()}${name.slice(1)}Screen`;
  const body = `export const ${component} = () => { throw new Error('forced'); };`;
  return route.fulfill({ contentType: 'text/javascript', body });
};

test(
  'a screen that fails to load shows an error and loads with a retry; a tab from before an update reloads',
  { tag: '@smoke' },
  async ({ stage }) => {
    const page = await stage.emptyTab(await stage.person(), { mayLogErrors: BROKEN });
    const chunks = /\/assets\/(settings|contacts)-screen-/;
    await page.route(chunks, (route) => route.abort());
    await page.goto('/');
    await expect(heading(page, 'Chats')).toBeVisible();
    await mark(page);
    await go(page, 'Settings');
    await expect(failed(page)).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await go(page, 'Calls');
    await expect(heading(page, 'Calls')).toBeVisible();

    // The script and the stylesheet are loaded by the next attempt.
    await go(page, 'Settings');
    await expect(failed(page)).toBeVisible();
    await page.unroute(chunks);
    await failed(page).getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, 'Settings')).toBeVisible();
    await expect(page.locator('.settings')).toHaveCSS('display', 'grid');
    expect(await isMarked(page)).toBe(true);

    // Simulates an update of the service: its page references chunks with other names.
    const outdated = await page.context().newPage();
    await outdated.route(/\/assets\/contacts-screen-/, (route) => route.abort());
    await outdated.goto('/');
    await expect(heading(outdated, 'Chats')).toBeVisible();
    await mark(outdated);
    await outdated.route('**/contacts', (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ contentType: 'text/html', body: '<script src="/assets/client-new.js"></script>' })
        : route.continue(),
    );
    const isReloaded = outdated.waitForEvent('load');
    await go(outdated, 'Contacts');
    await isReloaded;
    await expect(failed(outdated)).toBeVisible();
    expect(await isMarked(outdated)).toBe(false);
  },
);

test('every screen opens offline after the page was idle, without a reload', async ({ stage }) => {
  const page = await stage.open(await stage.person(), '/', { mayLogErrors: BROKEN });
  const isLoaded = (name: string) =>
    page.evaluate(
      (part) =>
        performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/assets/${part}-`)),
      name,
    );
  // Parts are loaded one after the other: this dialog follows all screens and their texts.
  await expect.poll(() => isLoaded('new-conversation')).toBe(true);
  await mark(page);
  await page.context().setOffline(true);
  for (const title of ['Contacts', 'Calls', 'Notifications', 'Settings', 'Chats']) {
    await go(page, title);
    await expect(heading(page, title)).toBeVisible();
  }
  expect(await isMarked(page)).toBe(true);
});

test('screens that throw and a call window that fails to load leave the menu and the call usable', async ({
  stage,
}) => {
  const [caller, callee] = await createContacts(stage);
  const alice = await stage.emptyTab(caller, { mayLogErrors: BROKEN });
  await alice.route(/\/assets\/(calls|notifications|settings|conversations)-screen-[\w-]+\.js/, throwing);
  await alice.goto(contactOf(callee));
  const bob = await stage.emptyTab(callee, { mayLogErrors: BROKEN });
  const windows = /\/assets\/call-window-/;
  await bob.route(windows, (route) => route.abort());
  await bob.goto('/settings');
  await expect(heading(bob, 'Settings')).toBeVisible();
  await expect(alice.getByText('Online', { exact: true }).first()).toBeVisible();
  await call(alice);

  await expect(failed(bob).getByRole('button', { name: 'Decline' })).toBeVisible();
  await bob.unroute(windows);
  await failed(bob).getByRole('button', { name: 'Try again' }).click();
  await bob.getByRole('button', { name: 'Answer with video' }).click();
  await Promise.all([expectVideo(alice), expectVideo(bob)]);

  await alice.getByRole('button', { name: 'Minimize' }).click();
  for (const title of ['Calls', 'Notifications', 'Settings', 'Chats']) {
    await go(alice, title);
    await expect(failed(alice)).toBeVisible();
    await expect(menu(alice).getByRole('link', { name: title })).toHaveAttribute('aria-current', 'page');
  }
  await go(alice, 'Contacts');
  await expect(heading(alice, 'Contacts')).toBeVisible();
  await expect(callWindow(alice).getByRole('timer')).toHaveText(RUNNING_DURATION);
  await Promise.all([expectVideo(alice), expectVideo(bob)]);
  await callWindow(alice).getByRole('button', { name: 'Hang up' }).click();
  await expect(bob.getByRole('dialog', { name: /ended$/ })).toBeVisible();
});

test('a page whose texts fail to load shows an error in the browser’s language; a dropped file does not replace a page', async ({
  stage,
}) => {
  const page = await (
    await stage.browserOf({ options: { locale: 'zh-CN' }, mayLogErrors: BROKEN })
  ).newPage();
  const texts = /\/assets\/zh-cn-/;
  await page.route(texts, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('页面加载失败');
  await page.unroute(texts);
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('heading', { name: '演示账号' })).toBeVisible();

  for (const path of ['/', '/admin']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '演示账号' })).toBeVisible();
    const isPrevented = await page.evaluate(() =>
      ['dragover', 'drop'].map((type) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['text'], 'notes.txt'));
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        return !document.body.dispatchEvent(event);
      }),
    );
    expect(isPrevented).toEqual([true, true]);
  }
});
