import { randomBytes } from 'node:crypto';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';

const SCREENS = [
  ['overview', 'Overview'],
  ['users', 'Users'],
  ['groups', 'Device groups'],
  ['devices', 'Devices'],
  ['announcements', 'Announcements'],
  ['calls', 'Calls'],
  ['sessions', 'Sessions'],
  ['audit', 'Audit log'],
  ['webhooks', 'Webhooks'],
  ['keys', 'API keys'],
  ['health', 'Health'],
] as const;

const PHONE = { width: 360, height: 740 };
const mark = (): string => randomBytes(5).toString('hex');

test('every screen opens from the menu without accessibility violations or console errors', async ({
  stage,
  admin,
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await stage.open(admin, '/admin', { options: { colorScheme } });
    for (const [name, title] of SCREENS) {
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: title }).click();
      await expect(page).toHaveURL(new RegExp(`/admin/${name}$`));
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(page).toHaveTitle(`${title} · Callboard administration`);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }
  }
});

test(
  'the palette finds and opens a user, a device, a group and a screen by keyboard',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const name = `Walnut ${mark()}`;
    const user = await stage.person({ name });
    const { id: device } = await stage.requestAsAdmin('POST', '/api/admin/devices', { name: `${name} door` });
    const { id: group } = await stage.requestAsAdmin('POST', '/api/admin/device-groups', {
      name: `${name} yard`,
    });
    const page = await stage.open(admin, '/admin/health');
    await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
    const field = page.getByRole('combobox', { name: 'Pages, users, devices, groups' });
    const findings = page.getByRole('listbox');

    const targets = [
      [0, 'Users', new RegExp(`/admin/users\\?user=${user.id}$`)],
      [1, 'Devices', new RegExp(`/admin/devices\\?device=${device}$`)],
      [2, 'Device groups', new RegExp(`/admin/groups\\?group=${group}$`)],
    ] as const;
    for (const [steps, kind, address] of targets) {
      await page.keyboard.press('Control+k');
      await expect(field).toBeFocused();
      await page.keyboard.type(name);
      await expect(findings.getByRole('group', { name: kind, exact: true }).getByRole('option')).toHaveCount(
        1,
      );
      await expect(page.getByRole('status').getByText('3 results')).toBeVisible();
      for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(address);
      await expect(field).toBeHidden();
      await page.goto('/admin/health');
      await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
    }

    await page.keyboard.press('Meta+k');
    await page.keyboard.type('announ');
    await expect(findings.getByRole('option')).toHaveText(['Announcements']);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Announcements' })).toBeVisible();
  },
);

test('the palette opens by its button, shows when nothing matches, and restores the focus', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/health', {
    options: { locale: 'zh-CN', colorScheme: 'dark' },
  });
  const button = page.getByRole('button', { name: '页面、用户、设备、分组' });
  await button.click();
  const dialog = page.getByRole('dialog', { name: '搜索并跳转' });
  await expect(dialog.getByRole('option')).toHaveCount(13);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.type(mark());
  await expect(dialog.getByText('0 个结果')).toBeVisible();
  await expect(dialog.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  // A number may be a user id. An unknown one must not log an error.
  await dialog.getByRole('combobox').fill('987654321');
  await expect(dialog.getByText('1 个结果')).toBeVisible();
  await expect(dialog.getByRole('option')).toHaveText(['用户 987654321']);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test('the palette opens no result of the text before', async ({ stage, admin }) => {
  const name = `Walnut ${mark()}`;
  await stage.person({ name });
  const page = await stage.open(admin, '/admin/health');
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox');
  await field.fill(name);
  await expect(dialog.getByRole('option', { name })).toBeVisible();
  const answering = Promise.withResolvers<void>();
  await page.route(/keyword=/, async (route) => {
    await answering.promise;
    await route.continue();
  });
  const isSearched = page.waitForRequest(/keyword=nobody/);
  await field.fill('nobody');
  await field.press('Enter');
  await isSearched;
  await expect(dialog.getByRole('option')).toHaveCount(0);
  answering.resolve();
  await expect(dialog.getByText('0 results')).toBeVisible();
});

test('the palette shows an error when the service is unavailable', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/health', { mayLogErrors: /ERR_FAILED/ });
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  await page.route('**/api/admin/users?*', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await page.keyboard.type('somebody');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('The service cannot be reached');
});

test('the account menu changes the theme and the language by keyboard, and logs out', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/health', { mayLogErrors: /ERR_FAILED/ });
  const account = page.getByRole('button', { name: admin.name });
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  await account.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Dark' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  // The initially focused item depends on how the menu was opened.
  const dark = page.getByRole('menuitem', { name: 'Dark' });
  const isFocused = () => dark.evaluate((item) => item.contains(document.activeElement));
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (let steps = 0; steps < 4 && !(await isFocused()); steps += 1) {
    const before = await focused();
    await page.keyboard.press('ArrowDown');
    // The focus moves asynchronously: without waiting, the loop would go too far.
    await expect.poll(focused).not.toBe(before);
  }
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');

  await account.click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '运行状况' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  // A log-out that has not reached the service must not look successful.
  await page.route('**/api/auth/logout', (route) => route.abort());
  await account.click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page.getByRole('alert')).toContainText('下次用此浏览器访问时仍为登录状态');
  await page.unroute('**/api/auth/logout');
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Callboard 管理后台' })).toBeVisible();
});

test('the account button shows the user’s picture, or the first letter of the name', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/health', { mayLogErrors: /404/ });
  const account = page.getByRole('button', { name: admin.name });
  await expect(account.locator('.picture')).toHaveText('P');
  await stage.request(admin.id, 'PUT', '/api/auth/me', { avatar: `${stage.service.url}/favicon.svg` });
  await page.reload();
  await expect(account.locator('img')).toHaveAttribute('src', `${stage.service.url}/favicon.svg`);
});

test('on a phone the menu is a drawer that closes after a choice, and nothing overflows horizontally', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/health', { options: { viewport: PHONE } });
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog').getByRole('navigation', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Health' })).toHaveAttribute('aria-current', 'page');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await menu.getByRole('link', { name: 'Calls' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Calls' })).toBeVisible();
  await expect(menu).toBeHidden();
  for (const [name, title] of SCREENS) {
    await page.goto(`/admin/${name}`);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), name)
      .toBe(PHONE.width);
    expect(await findAccessibilityViolations(page)).toEqual([]);
  }
});

test('the skip link moves the focus past the menu', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/health');
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL(/\/admin\/health$/);
});
