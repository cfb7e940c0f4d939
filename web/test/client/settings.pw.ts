import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { holdRequest } from '../support/hold-request';
import { PASSWORD } from '../support/stage';

const REFUSED = /status of (401|422)/;

const section = (page: Page, name: string) => page.getByRole('region', { name });
const menu = (page: Page) => page.getByRole('navigation');

test(
  'name and picture are changed; errors are shown at the field, and the input is kept',
  { tag: '@smoke' },
  async ({ stage }) => {
    const alice = await stage.person({ name: 'Alice' });
    const page = await stage.open(alice, '/settings', { mayLogErrors: REFUSED });
    const other = await stage.open(alice, '/contacts');
    const profile = section(page, 'Profile');
    const [name, picture] = [
      profile.getByLabel('Name', { exact: true }),
      profile.getByRole('textbox', { name: 'Picture' }),
    ];
    await expect(profile.getByRole('button', { name: 'Save' })).toBeDisabled();
    await name.fill('');
    await picture.fill('ftp://pictures.example/alice.png');
    await profile.getByRole('button', { name: 'Save' }).click();
    await expect(name).toHaveAccessibleDescription('Must not be empty');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await name.fill('Alice Adams');
    await page.keyboard.press('Enter');
    await expect(picture).toHaveAccessibleDescription(/Is invalid$/);
    await expect(picture).toHaveValue('ftp://pictures.example/alice.png');
    await picture.fill('');
    await profile.getByRole('button', { name: 'Save' }).click();
    await expect(profile.getByText('Saved.')).toBeVisible();
    for (const each of [page, other])
      await expect(menu(each).getByRole('link', { name: 'Alice Adams' })).toBeVisible();
    const hides = profile.getByRole('checkbox', { name: 'Show when I’m online' });
    const told = page.waitForResponse((response) => response.request().method() === 'PUT');
    await hides.uncheck();
    await told;
    await page.reload();
    await expect(hides).not.toBeChecked();
    // Hidden if the service finds users by account only, because it would have no effect.
    await expect(profile.getByRole('checkbox', { name: 'Let people find me by name' })).toHaveCount(0);
  },
);

test('text that is typed while the profile is being saved is kept', async ({ stage }) => {
  const page = await stage.open(await stage.person({ name: 'Alice' }), '/settings');
  const saving = await holdRequest(page, 'PUT', /\/api\/auth\/me$/);
  const name = section(page, 'Profile').getByLabel('Name', { exact: true });
  await name.fill('Alice Adams');
  await page.keyboard.press('Enter');
  await saving.asked;
  await name.fill('Alice Adams-Bell');
  saving.release();
  await expect(menu(page).getByRole('link', { name: 'Alice Adams' })).toBeVisible();
  await expect(name).toHaveValue('Alice Adams-Bell');
});

test('with externally managed profiles, only the switches can be changed', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const context = await stage.browserOf();
  await context.route('**/api/client-config', async (route) => {
    const response = await route.fetch();
    const envelope = (await response.json()) as { data: { features: object } };
    Object.assign(envelope.data.features, { profile_editing: false, user_directory: 'open' });
    await route.fulfill({ response, json: envelope });
  });
  const page = await context.newPage();
  await page.goto('/settings');
  await page.getByRole('textbox', { name: 'Account' }).fill(alice.account);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const profile = section(page, 'Profile');
  await expect(profile.getByText('Your name and picture are managed elsewhere')).toBeVisible();
  await expect(profile.getByRole('textbox')).toHaveCount(0);
  await expect(profile.getByRole('checkbox', { name: 'Let people find me by name' })).toBeChecked();
  await expect(profile.getByRole('checkbox')).toHaveCount(2);
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('a password change ends the other sessions; their pages continue after a log-in', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const other = await stage.open(alice, '/settings', { mayLogErrors: REFUSED });
  await section(other, 'Profile').getByLabel('Name', { exact: true }).fill('Half typed');
  const page = await stage.open(alice, '/settings', { mayLogErrors: REFUSED });
  const password = section(page, 'Password');
  const [old, fresh, again] = [
    password.getByLabel('Current password'),
    password.getByLabel('New password', { exact: true }),
    password.getByLabel('Confirm new password'),
  ];
  const submit = password.getByRole('button', { name: 'Change password' });
  await expect(submit).toBeDisabled();
  await old.fill('not-my-password');
  await fresh.fill('another-password');
  await again.fill('another-passwort');
  await submit.click();
  await expect(again).toHaveAccessibleDescription('Passwords don’t match.');
  await again.fill('another-password');
  await submit.click();
  await expect(old).toHaveAccessibleDescription('Current password is incorrect.');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await old.fill(PASSWORD);
  await fresh.fill('short');
  await again.fill('short');
  await submit.click();
  await expect(fresh).toHaveAccessibleDescription(/Must have at least 8 characters$/);
  await fresh.fill('another-password');
  await again.fill('another-password');
  await page.keyboard.press('Enter');
  await expect(password.getByText('Password changed.')).toBeVisible();
  await expect(old).toHaveValue('');

  const dialog = other.getByRole('dialog');
  await expect(dialog).toContainText('Your session has ended.');
  // Chrome closes a dialog at the second Escape, even if its page prevents that.
  await other.keyboard.press('Escape');
  await other.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  // Browsers without `closedby` close it.
  await dialog.evaluate((element: HTMLDialogElement) => element.close());
  await expect(dialog).toBeVisible();
  expect(await findAccessibilityViolations(other)).toEqual([]);
  await dialog.getByLabel('Password').fill('another-password');
  await other.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const name = section(other, 'Profile').getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('Half typed');
  await expect(name).toBeFocused();
});

test('sessions are listed with their devices, and ended', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await stage.open(alice, '/settings');
  const phone = await stage.open(alice, '/contacts', { mayLogErrors: REFUSED });
  const tablet = await stage.open(alice, '/contacts', { mayLogErrors: REFUSED });
  await page.reload();
  const sessions = section(page, 'Active sessions');
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This device' })).toHaveText(
    /^Chrome · Linux\s*This device.*127\.0\.0\.1/,
  );
  await expect(sessions.getByRole('button', { name: /^Log out Chrome/ })).toHaveCount(2);
  await sessions
    .getByRole('button', { name: /^Log out Chrome/ })
    .first()
    .click();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('heading')).toBeFocused();
  await expect(tablet.getByRole('dialog')).toBeVisible();
  await expect(phone.getByRole('dialog')).toHaveCount(0);
  await sessions.getByRole('button', { name: 'Log out all other sessions' }).click();
  await expect(sessions.getByText('All other sessions were logged out.')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(phone.getByRole('dialog')).toBeVisible();
});

test('language, theme and sounds apply to all tabs and later visits', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await stage.open(alice, '/settings');
  const look = section(page, 'Appearance and language');
  await look.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('checkbox', { name: 'Sounds' }).uncheck();
  const second = await page.context().newPage();
  await second.goto('/settings');
  for (const each of [page, second]) {
    await expect(each.locator('html')).toHaveCSS('color-scheme', 'dark');
    await expect(each.getByRole('checkbox', { name: 'Sounds' })).not.toBeChecked();
    expect(await findAccessibilityViolations(each)).toEqual([]);
  }
  await second.getByRole('button', { name: 'Light' }).click();
  await second.getByRole('checkbox', { name: 'Sounds' }).check();
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  await expect(page.getByRole('checkbox', { name: 'Sounds' })).toBeChecked();
  await look.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '设置' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: '设置' })).toBeVisible();
  await expect(section(page, '登录设备').getByRole('listitem')).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('blocked users are listed and unblocked', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const [bob, carol] = [await stage.person({ name: 'Bob' }), await stage.person({ name: 'Carol' })];
  const page = await stage.open(alice, '/settings');
  const blocked = section(page, 'Blocked people');
  await expect(blocked.getByText('You haven’t blocked anyone.')).toBeVisible();
  for (const { id } of [bob, carol]) await stage.request(alice.id, 'PUT', `/api/users/${id}/block`);
  await expect(blocked.getByRole('listitem')).toHaveCount(2);
  await expect(blocked.getByRole('listitem').first()).toContainText(/Carol.*Since (yesterday, )?\d\d:\d\d/);
  await blocked.getByRole('button', { name: 'Unblock Carol' }).focus();
  await page.keyboard.press('Enter');
  await expect(blocked.getByRole('listitem')).toHaveCount(1);
  await expect(blocked.getByRole('button', { name: 'Unblock Bob' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(blocked.getByText('You haven’t blocked anyone.')).toBeVisible();
  await expect(blocked.getByRole('heading')).toBeFocused();
  expect((await stage.request(alice.id, 'GET', '/api/users/blocks')).items).toEqual([]);
});
