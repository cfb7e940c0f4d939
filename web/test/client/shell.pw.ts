import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { CUT, type Person, type Stage } from '../support/stage';

const SCREENS = [
  ['Chats', '/'],
  ['Contacts', '/contacts'],
  ['Calls', '/calls'],
  ['Notifications', '/notifications'],
  ['Settings', '/settings'],
] as const;

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });
const chatOf = async (stage: Stage, person: Person, other: Person): Promise<number> =>
  (
    await stage.request(person.id, 'POST', '/api/messages/conversations', {
      type: 'single',
      peer_id: other.id,
    })
  ).id;
const say = (stage: Stage, person: Person, chat: number, content: string) =>
  stage.request(person.id, 'POST', `/api/messages/conversations/${chat}/messages`, { type: 'text', content });

test('every screen opens from the menu without accessibility violations or console errors', async ({
  stage,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await stage.open(alice, '/settings', { options: { colorScheme } });
    for (const [title, path] of SCREENS) {
      await menu(page).getByRole('link', { name: title }).click();
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(menu(page).getByRole('link', { name: title })).toHaveAttribute('aria-current', 'page');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }
  }
});

test('the menu works by keyboard and links to the API documentation', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/settings');
  await menu(page).getByRole('link', { name: 'Notifications' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(menu(page).getByRole('link', { name: 'Admin', exact: true })).toHaveAttribute(
    'href',
    '/admin',
  );
  await expect(menu(page).getByRole('link', { name: 'API docs' })).toHaveAttribute('href', '/docs');
  await page.goto('/conversations/1/2');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found.' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Chats' }).click();
  await expect(page).toHaveURL('/');
});

test('unread counts in the menu and the title are live', { tag: '@smoke' }, async ({ stage }) => {
  const [alice, bob, carol] = [
    await stage.person({ name: 'Alice' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Carol' }),
  ];
  const [chat, muted] = [await chatOf(stage, bob, alice), await chatOf(stage, carol, alice)];
  await say(stage, bob, chat, 'one');
  const page = await stage.open(alice, '/settings');
  await expect(page).toHaveTitle('(1) Callboard');
  await stage.request(alice.id, 'PUT', `/api/messages/conversations/${muted}/settings`, { muted: true });
  await say(stage, carol, muted, 'in silence');
  await say(stage, bob, chat, 'two');
  await stage.requestAsAdmin('POST', '/api/admin/notifications', {
    user_ids: [alice.id],
    type: 'system',
    title: 'Hello',
    content: 'World',
  });
  await expect(page).toHaveTitle('(3) Callboard');
  await expect(menu(page).getByRole('link', { name: 'Chats 2 unread' })).toBeVisible();
  await expect(menu(page).getByRole('link', { name: 'Notifications 1 unread' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await stage.request(alice.id, 'POST', `/api/messages/conversations/${chat}/read`, {});
  await expect(page).toHaveTitle('(1) Callboard');
  await stage.request(alice.id, 'PUT', '/api/notifications/all/read', {});
  await expect(page).toHaveTitle('Callboard');
  await expect(menu(page).getByRole('link', { name: 'Chats', exact: true })).toBeVisible();
});

test('a lost and a restored connection are shown', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await stage.open(alice, '/settings', { mayLogErrors: CUT });
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const status = page.locator('output.connection');
  await expect(status).toHaveText('');
  await page.context().setOffline(true);
  await expect(status).toHaveText('You’re offline. Information may be out of date.');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.context().setOffline(false);
  await expect(status).toHaveText('');
  // The network works, but the service is unreachable.
  await page.route('**/api/events', (route) => route.abort());
  await page.reload();
  await expect(status).toHaveText('Connection lost. Reconnecting…');
  await page.unroute('**/api/events');
  await expect(status).toHaveText('');
});

test('on a phone the menu is a bar at the bottom, and nothing overflows horizontally', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  for (const { width, locale, title } of [
    { width: 360, locale: 'zh-CN', title: '设置' },
    { width: 320, locale: 'en-GB', title: 'Settings' },
  ]) {
    const page = await stage.open(alice, '/', { options: { viewport: { width, height: 640 }, locale } });
    await page.getByRole('navigation').getByRole('link', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const bar = await page.getByRole('navigation').boundingBox();
    expect(bar?.width).toBe(width);
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(640);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await findAccessibilityViolations(page)).toEqual([]);
  }
});

test('every menu label fits, current or not, on the narrowest phone and on a desktop', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  for (const width of [320, 1000]) {
    const page = await stage.open(alice, '/settings', { options: { viewport: { width, height: 640 } } });
    for (const [title] of SCREENS) {
      const link = menu(page).getByRole('link', { name: title });
      await link.click();
      await expect(link).toHaveAttribute('aria-current', 'page');
      const overhang = await link.evaluate(
        (box) => (box.querySelector('span')?.getBoundingClientRect().width ?? Infinity) - box.clientWidth,
      );
      expect(overhang).toBeLessThanOrEqual(0);
    }
  }
});

test('a list keeps its scroll position and the focus when its first item is opened', async ({ stage }) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  for (let index = 0; index < 20; index += 1) {
    const call = { callee_id: bob.id, media_type: 'audio' };
    const { call_id: id } = await stage.request(alice.id, 'POST', '/api/calls', call);
    await stage.request(alice.id, 'POST', `/api/calls/${id}/cancel`, {});
    const group = { type: 'group', name: `Team ${index}`, member_ids: [bob.id] };
    await stage.request(alice.id, 'POST', '/api/messages/conversations', group);
  }
  for (const [path, name] of [
    ['/calls', 'Your calls'],
    ['/', 'Chats'],
  ] as const) {
    const page = await stage.open(alice, path);
    const link = page.getByRole('list', { name }).getByRole('link').last();
    await link.focus();
    const scrollTop = () => page.locator('.list-body').evaluate((body) => body.scrollTop);
    const before = await scrollTop();
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/\d+$/);
    await expect(link).toHaveAttribute('aria-current', /true|page/);
    await expect(link).toBeFocused();
    expect(await scrollTop()).toBe(before);
  }
});
