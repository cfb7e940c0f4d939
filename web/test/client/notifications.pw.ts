import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { CUT, type Person, type Stage } from '../support/stage';

const rows = (page: Page) => page.getByRole('main').getByRole('listitem');
const row = (page: Page, title: string) =>
  rows(page).filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const headings = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 });
const titles = (page: Page) => headings(page).allTextContents();

/** Sends notifications one after another, so that the last one is the newest. */
async function notify(stage: Stage, person: Person, type: string, ...all: string[]): Promise<void> {
  for (const title of all)
    await stage.requestAsAdmin('POST', '/api/admin/notifications', {
      user_ids: [person.id],
      type,
      title,
      content: `What ${title} says`,
    });
}

test('notifications are read, marked and deleted by mouse and by keyboard', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, 'order', 'Parcel 1', 'Parcel 2', 'Parcel 3');
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = await stage.open(alice, '/notifications', { options: { colorScheme } });
    await expect(rows(look)).toHaveCount(3);
    expect(await findAccessibilityViolations(look)).toEqual([]);
  }
  const page = await stage.open(alice, '/notifications');
  await expect(page).toHaveTitle('(3) Callboard');
  // The title expands the notification, and the URL contains its id.
  await row(page, 'Parcel 2 (unread)').getByRole('button', { name: 'Parcel 2', exact: true }).click();
  await expect(row(page, 'Parcel 2').getByRole('button', { expanded: true })).toBeVisible();
  await expect(page).toHaveURL(/\?open=\d+$/);
  await expect(page).toHaveTitle('(2) Callboard');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.reload();
  await expect(row(page, 'Parcel 2').getByRole('button', { expanded: true })).toBeVisible();
  await page.getByRole('button', { name: 'Mark “Parcel 3” as read' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Mark “Parcel 3” as unread' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Mark “Parcel 3” as read' })).toBeFocused();
  await expect(page).toHaveTitle('(2) Callboard');
  await page.getByRole('button', { name: 'Delete “Parcel 2”' }).focus();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Parcel 1', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toBeDisabled();
  await expect(page).toHaveTitle('Callboard');
  await expect(headings(page)).toHaveText(['Parcel 3', 'Parcel 1']);
});

test('a notification that is marked again before the first response is marked in order', async ({
  stage,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, 'order', 'Parcel');
  const page = await stage.open(alice, '/notifications');
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/notifications/*/read', async (route) => {
    const response = await route.fetch();
    await answered.promise;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Mark “Parcel” as read' }).click();
  // The event arrives before the response and has already updated the row.
  await page.getByRole('button', { name: 'Mark “Parcel” as unread' }).click();
  answered.resolve();
  await expect(page.getByRole('button', { name: 'Mark “Parcel” as read' })).toBeFocused();
  await expect(page).toHaveTitle('(1) Callboard');
});

test('filters are in the URL; a read notification keeps its position', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, 'order', 'Parcel 1', 'Parcel 2');
  await notify(stage, alice, 'shift.plan', 'Night shift');
  const page = await stage.open(alice, '/notifications');
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Order (2 unread)');
  await page.getByRole('button', { name: 'Unread', exact: true }).click();
  await expect(page).toHaveURL('/notifications?type=order&unread=1');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Mark “Parcel 2” as read' }).click();
  await expect(page.getByRole('button', { name: 'Mark “Parcel 2” as unread' })).toBeVisible();
  expect(await titles(page)).toEqual(['Parcel 2', 'Parcel 1(unread)']);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  // The other kind is unaffected.
  await expect(page).toHaveTitle('(1) Callboard');
  await page.getByRole('combobox', { name: 'Type' }).selectOption('shift.plan (1 unread)');
  await expect(row(page, 'Night shift (unread)')).toBeVisible();
});

test('scrolling loads older notifications; new ones are held back while the user reads', async ({
  stage,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  const numbers = Array.from({ length: 45 }, (_, index) => `Notification ${index + 1}`);
  await notify(stage, alice, 'system', ...numbers);
  const page = await stage.open(alice, '/notifications');
  await expect(rows(page).first()).toContainText('Notification 45');
  for (const oldest of ['Notification 26', 'Notification 6', 'Notification 1'])
    await row(page, `${oldest} (unread)`).scrollIntoViewIfNeeded();
  await expect(rows(page)).toHaveCount(45);
  expect((await titles(page)).map((title) => title.replace('(unread)', ''))).toEqual(numbers.toReversed());

  const reading = row(page, 'Notification 10 (unread)');
  await reading.scrollIntoViewIfNeeded();
  const before = await reading.boundingBox();
  await notify(stage, alice, 'system', 'Fresh 1', 'Fresh 2');
  await expect(page.getByRole('button', { name: 'Show new notifications (2)' })).toBeVisible();
  expect(await reading.boundingBox()).toEqual(before);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show new notifications (2)' }).click();
  await expect(rows(page).first()).toContainText('Fresh 2');
  await expect(rows(page).first()).toBeInViewport();
  // At the top of the list, without the pointer on it, new notifications are inserted directly.
  await page.mouse.move(5, 5);
  await notify(stage, alice, 'system', 'Fresh 3');
  await expect(rows(page).first()).toContainText('Fresh 3');
  await expect(rows(page)).toHaveCount(48);
});

test(
  'changes elsewhere are shown live; a missed call links to the call',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
    const page = await stage.open(alice, '/notifications');
    await expect(page.getByText('No notifications yet.')).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const { announcement_id: id } = await stage.requestAsAdmin('POST', '/api/admin/notifications', {
      user_ids: [alice.id, bob.id],
      type: 'announcement',
      title: 'Water is off',
      content: 'Tomorrow',
    });
    await expect(row(page, 'Water is off (unread)')).toBeVisible();
    await stage.request(alice.id, 'PUT', '/api/notifications/all/read', {});
    await expect(row(page, 'Water is off')).toBeVisible();
    await stage.requestAsAdmin('POST', `/api/admin/announcements/${id}/recall`);
    await expect(rows(page)).toHaveCount(0);
    const call = await stage.request(bob.id, 'POST', '/api/calls', { callee_id: alice.id });
    await stage.request(bob.id, 'POST', `/api/calls/${call.call_id}/cancel`, {});
    await expect(rows(page)).toHaveCount(1);
    await rows(page).getByRole('link').click();
    await expect(page).toHaveURL(`/calls/${call.call_id}`);
    await expect(page).toHaveTitle('Callboard');
  },
);

test('an error is shown at the notification whose action failed', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, 'order', 'Parcel 1');
  const page = await stage.open(alice, '/notifications', { mayLogErrors: CUT });
  await page.route('**/api/notifications/*', (route) => route.abort());
  await page.getByRole('button', { name: 'Delete “Parcel 1”' }).click();
  await expect(row(page, 'Parcel 1 (unread)').getByRole('alert')).toHaveText('The service cannot be reached');
  await page.unroute('**/api/notifications/*');
  await page.getByRole('button', { name: 'Delete “Parcel 1”' }).click();
  await expect(page.getByText('No notifications yet.')).toBeVisible();
});

test('older notifications that failed to load are requested again by the button only', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const numbers = Array.from({ length: 21 }, (_, index) => `Notification ${index + 1}`);
  await notify(stage, alice, 'system', ...numbers);
  const page = await stage.open(alice, '/notifications', { mayLogErrors: /status of 500/ });
  await expect(rows(page)).toHaveCount(20);
  let requests = 0;
  await page.route('**/api/notifications?*', (route) => {
    requests += 1;
    return route.fulfill({ status: 500, json: { code: 500, message: '服务器内部错误', data: null } });
  });
  await rows(page).last().scrollIntoViewIfNeeded();
  const more = page.getByRole('main').getByRole('button', { name: 'Load more' });
  await more.scrollIntoViewIfNeeded();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await notify(stage, alice, 'system', 'Fresh');
  await expect(page).toHaveTitle('(22) Callboard');
  expect(requests).toBe(1);
  await page.unroute('**/api/notifications?*');
  await more.click();
  await expect(row(page, 'Notification 1 (unread)')).toBeAttached();
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
});

test('older notifications load automatically after a failure when the filter is changed', async ({
  stage,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  const numbers = Array.from({ length: 21 }, (_, index) => `Notification ${index + 1}`);
  await notify(stage, alice, 'system', ...numbers);
  const page = await stage.open(alice, '/notifications', { mayLogErrors: /status of 500/ });
  await expect(rows(page)).toHaveCount(20);
  await page.route('**/api/notifications?*', (route) =>
    route.fulfill({ status: 500, json: { code: 500, message: '服务器内部错误', data: null } }),
  );
  await page.getByRole('main').getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
  const error = page.getByRole('main').getByRole('alert');
  await expect(error).toBeVisible();
  await page.unroute('**/api/notifications?*');
  await page.getByRole('button', { name: 'Unread', exact: true }).click();
  await expect(error).toHaveCount(0);
  await rows(page).last().scrollIntoViewIfNeeded();
  await expect(rows(page)).toHaveCount(21);
});

test('notifications fit a phone, in Chinese', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, 'order', '快递已到', 'A'.repeat(100));
  const page = await stage.open(alice, '/notifications', {
    options: { viewport: { width: 360, height: 640 }, locale: 'zh-CN' },
  });
  await expect(page.getByRole('heading', { level: 1, name: '通知' })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText('订单', { exact: true })).toHaveCount(2);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: '全部标为已读' }).click();
  await page.getByRole('button', { name: '未读', exact: true }).click();
  await expect(page.getByText('全部已读。')).toBeVisible();
});
