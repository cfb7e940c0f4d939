import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import type { Page, Request } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';
import { expectToast } from '../support/toasts';

/** Creates users in bulk, as a back end does. Their names begin with a word that no other test uses. */
async function createUsers(stage: Stage, total: number): Promise<string> {
  const word = `q${randomBytes(4).toString('hex')}`;
  const users = Array.from({ length: total }, (_, index) => ({
    external_id: `${word}-${index}`,
    name: `${word} ${String(index).padStart(3, '0')}`,
  }));
  await stage.requestAsAdmin('POST', '/api/admin/users/bulk', { users });
  return word;
}

/** Records the queries with which the page requests the list of users. */
function listRequests(page: Page): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() === 'GET' && pathname === '/api/admin/users') asked.push(searchParams);
  });
  return asked;
}

const created = (page: Page): Request[] => {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/admin/users')) requests.push(request);
  });
  return requests;
};

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') });

test('a long list is searched, filtered and sorted by the service, and the URL contains all of it', async ({
  stage,
  admin,
}) => {
  const word = await createUsers(stage, 130);
  const page = await stage.open(admin, '/admin/users');
  const asked = listRequests(page);
  await page.getByRole('searchbox', { name: 'Name or account' }).fill(word);
  await expect(page.getByText('130 total', { exact: true })).toBeVisible();
  await expect(rows(page)).toHaveCount(20);
  await expect(page).toHaveURL(new RegExp(`keyword=${word}`));

  await page.getByRole('listitem', { name: '2', exact: true }).click();
  await expect(page.getByRole('link', { name: `${word} 020` })).toBeVisible();
  await page.getByRole('columnheader').getByRole('button', { name: 'Created' }).click();
  await expect(page).toHaveURL(/sort=created_at/);
  await expect(page).not.toHaveURL(/page=2/);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByTitle('Disabled').click();
  await expect(page.getByText('No matches. Try other filters.')).toBeVisible();

  await page.reload();
  await expect(page.getByText('No matches. Try other filters.')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Name or account' })).toHaveValue(word);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('searchbox', { name: 'Name or account' })).toHaveValue('');
  await page.getByRole('searchbox', { name: 'External ID' }).fill(`${word}-7`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('link', { name: `${word} 007` })).toBeVisible();

  await page.getByLabel('From', { exact: true }).fill('2026-02-02');
  await page.getByLabel('To', { exact: true }).fill('2026-02-01');
  await expect(page.getByText('The end date is before the start date.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Online' }).check();
  await expect(page).toHaveURL(/online=1/);
  // Only one page is requested at a time, however many users exist.
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.map((query) => query.get('per_page'))).toEqual(asked.map(() => '20'));
});

test('users selected across pages are changed at once; rejected ones are listed with the reason', async ({
  stage,
  admin,
}) => {
  const word = await createUsers(stage, 30);
  const page = await stage.open(admin, `/admin/users?keyword=${word}`, { mayLogErrors: /status of 422/ });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(page.getByText('20 selected')).toBeVisible();
  await page.getByRole('listitem', { name: '2', exact: true }).click();
  await page.getByRole('checkbox', { name: `Select ${word} 025` }).check();
  await expect(page.getByText('21 selected')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Disable' }).click();
  const disabling = await holdResponses(page, 'PUT', '**/api/admin/users/bulk');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await disabling.isHeld;
  // A user who is selected during the request stays selected.
  await page.getByRole('checkbox', { name: `Select ${word} 026` }).check();
  disabling.release();
  await expectToast(page, '21 of 21 changed.');
  await expect(page.getByText('1 selected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByText(/\d selected/)).toHaveCount(0);
  const off = await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${word}&status=0`);
  expect(off.pagination.total).toBe(21);

  // Selects all administrators, of whom one has to remain: the whole change is rejected.
  await page.goto('/admin/users?role=admin&status=1&per_page=100');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('dialog')).toContainText('You are one of them');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Nothing was changed' });
  await expect(alert.getByRole('listitem').filter({ hasText: admin.name })).toContainText(
    'at least one must remain',
  );
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await alert.getByRole('button', { name: /Deselect these/ }).click();
  await expect(page.getByText(/\d selected/)).toHaveCount(0);
  expect((await stage.requestAsAdmin('GET', `/api/admin/users/${admin.id}`)).status).toBe(1);
});

test('a user is created once despite repeated clicks; each error is shown at its field', async ({
  stage,
  admin,
}) => {
  const taken = await stage.person();
  const page = await stage.open(admin, '/admin/users', { mayLogErrors: /status of (409|422)|ERR_FAILED/ });
  const requests = created(page);
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  const field = (name: string) => dialog.getByRole('textbox', { name });
  await expect(field('Account')).toBeFocused();
  const send = dialog.getByRole('button', { name: 'Create' });
  const refused = (name: string, why: RegExp) => expect(field(name)).toHaveAccessibleDescription(why);

  await send.click();
  await refused('Account', /must not be empty/);
  await expect(field('Account')).toBeFocused();
  await field('Account').fill(taken.account.toUpperCase());
  await send.click();
  await refused('Password', /must not be empty/);
  await field('Password').fill('1234567');
  await send.click();
  await refused('Password', /at least 8 characters/);
  await field('Password').fill('callboard-demo');
  await send.click();
  await refused('Name', /must not be empty/);
  await field('Name').fill('长'.repeat(51));
  await send.click();
  await refused('Name', /50 characters/);
  await field('Name').fill('王芳');
  await field('Picture').fill('javascript:alert(1)');
  await send.click();
  await refused('Picture', /is invalid/);
  await field('Picture').fill('');
  await send.click();
  await refused('Account', /Choose another one, or search the list/);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await expect(field('Name')).toHaveValue('王芳');

  // Without a connection an error is shown, and the input is kept.
  const account = `w${taken.account}`;
  await field('Account').fill(account);
  await page.route('**/api/admin/users', (route) => route.abort());
  await send.click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'cannot be reached' })).toContainText(
    'Your changes are still here.',
  );
  await page.unroute('**/api/admin/users');

  const before = requests.length;
  await send.dblclick();
  await expect(page.getByRole('dialog').getByText('王芳')).toBeVisible();
  expect(requests.length - before).toBe(1);
  const found = await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${account}`);
  expect(found.items).toMatchObject([{ account, name: '王芳', role: 'user', status: 1 }]);
  await expect(page).toHaveURL(new RegExp(`user=${found.items[0].id}`));
});

test('the drawer shows all data of a user, by keyboard, in both themes', async ({ stage, admin }) => {
  const li = await stage.person({ name: '李雷' });
  const han = await stage.person({ name: '韩梅梅' });
  const { call_id } = await stage.request(li.id, 'POST', '/api/calls', {
    callee_id: han.id,
    media_type: 'audio',
  });
  await stage.request(han.id, 'POST', `/api/calls/${call_id}/reject`);
  const page = await stage.open(admin, `/admin/users?keyword=${li.account}`, {
    mayLogErrors: /status of 422/,
  });
  const link = page.getByRole('link', { name: '李雷' });
  await link.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('Enabled').first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`user=${li.id}`));

  await drawer.getByRole('textbox', { name: 'Name' }).fill('李雷(夜班)');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Saved');
  await expect(page.getByRole('link', { name: '李雷(夜班)', includeHidden: true }).first()).toBeAttached();
  await drawer.getByRole('tab', { name: 'User' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(drawer.getByRole('img', { name: /Calls, last 30 days/ })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await drawer.getByRole('textbox', { name: 'New password' }).fill('1234567');
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('at least 8 characters')).toBeVisible();
  await drawer.getByRole('textbox', { name: 'New password' }).fill('callboard-2');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Password set.');

  await drawer.getByRole('tab', { name: 'Calls' }).click();
  await expect(drawer.getByRole('listitem')).toContainText([/韩梅梅.*Audio.*Declined/]);
  await expect(drawer.getByRole('link', { name: 'All calls of this user' })).toHaveAttribute(
    'href',
    `/admin/calls?tab=history&user=${li.id}`,
  );
  await drawer.getByRole('tab', { name: 'Audit' }).click();
  const about = drawer.getByRole('region', { name: 'Changes to this user' });
  await expect(about.getByRole('listitem').filter({ hasText: 'User updated' })).toContainText(
    /Before: 李雷\s*→\s*After: 李雷\(夜班\)/,
  );
  await expect(about.getByRole('listitem').filter({ hasText: 'Password set' })).toContainText(admin.name);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page).not.toHaveURL(/user=/);
  await expect(page.getByRole('link', { name: '李雷(夜班)' })).toBeFocused();

  const dark = await stage.open(admin, `/admin/users?user=${li.id}`, {
    options: { colorScheme: 'dark', locale: 'zh-CN' },
  });
  for (const tab of ['资料', '动态', '密码', '登录会话', '通话', '审计']) {
    await dark.getByRole('tab', { name: tab }).click();
    await expect(dark.getByRole('tab', { name: tab, selected: true })).toBeVisible();
    await expect(dark.locator('.ant-skeleton')).toHaveCount(0);
    expect(await findAccessibilityViolations(dark)).toEqual([]);
  }
});

test('presence is shown, an unknown user is an error, and the screen fits a phone', async ({
  stage,
  admin,
}) => {
  const here = await stage.person({ name: 'Here' });
  await stage.open(here, '/conversations');
  const page = await stage.open(admin, `/admin/users?keyword=${here.account}&online=1`, {
    options: { viewport: { width: 360, height: 740 } },
    mayLogErrors: /status of 404/,
  });
  await expect(page.getByRole('listitem').filter({ hasText: 'Here' })).toContainText('Online');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.goto('/admin/users?user=999999');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Close this and search the list.');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.goto(`/admin/users?user=${here.id}`);
  await page.getByRole('dialog').getByRole('tab', { name: 'User' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Changes to this user' })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Audit' })).toBeInViewport({ ratio: 1 });
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('the export contains the filtered list', async ({ stage, admin }) => {
  const { account, id } = await stage.person({ name: 'Exported, once' });
  const page = await stage.open(admin, `/admin/users?keyword=${account}&role=user&sort=-id`);
  await expect(page.getByText('1 total', { exact: true })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('users.csv');
  const [head, line, ...rest] = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(head).toBe('\uFEFFid,account,name,avatar,role,status,created_at,external_id,online,last_seen_at');
  expect(line).toMatch(
    new RegExp(`^${id},${account},"Exported, once",,user,1,\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z,,false,$`),
  );
  expect(rest).toEqual(['']);
});
