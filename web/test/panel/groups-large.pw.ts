import type { Page } from '@playwright/test';
import { expect } from '../support/journey';
import { test } from '../support/large-group-tree';
import { BEFORE, drag, insideOf, INTO, row } from './support/groups';

/** Includes the groups of the demo data. */
const GROUPS = 10_014;
/** Maximum number of rendered rows, however many groups are expanded. */
const MAX_ROWS = 60;

const rowsOf = (page: Page): Promise<number> => page.getByRole('treeitem').count();

/** Records the API requests of a tab from now on. */
function recordRequests(page: Page): string[] {
  const recorded: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) recorded.push(pathname + search);
  });
  return recorded;
}

test('10,000 groups are one response and at most 60 rendered rows (ThingsBoard: 40 s for 6,500)', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/groups');
  await expect(page.getByText(`${GROUPS} groups`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(row(page, 'Room 0-0')).toBeVisible();
  expect(await rowsOf(page)).toBeLessThanOrEqual(MAX_ROWS);

  // End moves to the last row, which is far outside of the rendered range.
  await page.getByRole('treeitem').first().focus();
  await page.keyboard.press('End');
  await expect(row(page, 'Room 34-98')).toBeFocused();
  expect(await rowsOf(page)).toBeLessThanOrEqual(MAX_ROWS);
  await page.keyboard.press('Home');
  await expect(page.getByRole('treeitem').first()).toBeFocused();

  // The focused row stays in the document when it is scrolled out of view.
  await page.locator('.tree-box').evaluate((box) => box.scrollTo(0, 150_000));
  await expect(page.getByRole('treeitem', { name: /^Flat / }).first()).toBeVisible();
  expect(await rowsOf(page)).toBeLessThanOrEqual(MAX_ROWS);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('treeitem').nth(1)).toBeFocused();

  const screen = page.getByRole('textbox', { name: 'Search groups by name' });
  await screen.fill('flat 64');
  await expect(row(page, 'Flat 640')).toBeVisible();
  await expect(page.getByRole('treeitem').first()).toHaveAccessibleName('Tower');
  await screen.fill('-');
  await expect(page.getByRole('treeitem').first()).toHaveAccessibleName('Site 0');
  expect(await rowsOf(page)).toBeLessThanOrEqual(MAX_ROWS);
});

test('6,499 siblings are expanded, reordered and kept in the URL (Keycloak hangs at 10,000)', async ({
  stage,
  admin,
}) => {
  const answers = await stage.requestAsAdmin('GET', '/api/admin/device-groups?keyword=Flat%203000');
  const { id, parent_id: tower } = answers.items[0];
  const page = await stage.open(admin, `/admin/groups?group=${id}`);
  await expect(row(page, 'Flat 3000')).toBeInViewport();
  await expect(row(page, 'Flat 3000')).toHaveAttribute('aria-setsize', '6499');
  await expect(page.getByRole('navigation', { name: 'Path' })).toContainText('Tower');

  await drag(row(page, 'Flat 3001'), row(page, 'Flat 2999'), BEFORE);
  const message = page.locator('.ant-message-notice').filter({ hasText: 'Moved Flat 3001 to Tower' });
  // Hovering keeps the message open.
  await message.hover();
  expect((await insideOf(stage, tower)).match(/Flat 2998 .*Flat 3000/)?.[0]).toBe(
    'Flat 2998 Flat 3001 Flat 2999 Flat 3000',
  );
  await message.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => /Flat 2998 .*Flat 3001/.exec(await insideOf(stage, tower))?.[0])
    .toBe('Flat 2998 Flat 2999 Flat 3000 Flat 3001');
});

test('many groups are moved in one request, and no list is loaded completely (Casdoor: neither)', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/groups?q=Room 7-', {
    options: { viewport: { width: 1280, height: 1000 } },
  });
  const asked = recordRequests(page);
  await expect(row(page, 'Site 7')).toBeVisible();
  await row(page, 'Room 7-0').click();
  await row(page, 'Room 7-9').click({ modifiers: ['Shift'] });
  await expect(page.getByText('10 groups selected')).toBeVisible();
  const moving = page.waitForRequest((request) => request.url().endsWith('/device-groups/move'));
  await drag(row(page, 'Room 7-4'), row(page, 'Room 7-11'), INTO);
  expect((await moving).postDataJSON().group_ids).toHaveLength(10);
  await expect(page.getByText('Moved 10 groups to Room 7-11')).toBeVisible();
  expect(await rowsOf(page)).toBeLessThanOrEqual(MAX_ROWS);

  // The search for devices requests twenty.
  await page.getByRole('combobox', { name: 'Devices to add' }).fill('1');
  await expect(page.locator('.ant-select-item-option').first()).toBeVisible();
  await expect
    .poll(() => asked.filter((path) => path.startsWith('/api/admin/devices?')))
    .toEqual(['/api/admin/devices?page=1&per_page=20', '/api/admin/devices?page=1&per_page=20&keyword=1']);
  const lists = asked.filter(
    (path) => /per_page=(\d+)/.test(path) && Number(/per_page=(\d+)/.exec(path)?.[1]) > 20,
  );
  expect(lists).toEqual([]);
});

test('an unchanged tree is not sent again', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/groups');
  await expect(page.getByText(`${GROUPS} groups`, { exact: true })).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const trees = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/device-groups/tree')) trees.add(requestId);
  });
  const status = new Promise<number>((resolve) => {
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
      if (trees.has(requestId)) resolve(statusCode);
    });
  });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  expect(await status).toBe(304);
});

test('a click right after a scroll does not scroll, so that a double click hits one row', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/groups');
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(row(page, 'Room 0-0')).toBeVisible();
  const box = page.locator('.tree-box');
  // In one turn, before the page receives the scroll event.
  await box.evaluate((element) => {
    element.scrollTop = 72;
    const { bottom } = element.getBoundingClientRect();
    const rows = Array.from(element.querySelectorAll<HTMLElement>('[role=treeitem]'));
    rows.findLast((one) => one.getBoundingClientRect().bottom <= bottom)?.click();
  });
  await expect(page).toHaveURL(/group=\d+/);
  await expect(page.getByRole('button', { name: 'New subgroup' })).toBeVisible();
  expect(await box.evaluate(({ scrollTop }) => scrollTop)).toBe(72);
});
