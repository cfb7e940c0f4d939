import { readFile } from 'node:fs/promises';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { PASSWORD } from '../support/stage';

test(
  'the log shows actors, targets and values by name, not by id',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const li = await stage.person({ name: '李雷' });
    const han = await stage.person({ name: '韩梅梅' });
    await stage.request(
      admin.id,
      'PUT',
      `/api/admin/users/${li.id}`,
      { name: '李雷(夜班)', role: 'admin' },
      'admin',
    );
    await stage.request(
      admin.id,
      'PUT',
      '/api/admin/users/bulk',
      { user_ids: [li.id, han.id], status: 0 },
      'admin',
    );
    const person = { account: `w${li.account}`, password: PASSWORD, name: '赵刚' };
    await stage.request(admin.id, 'POST', '/api/admin/users', person, 'admin');
    const parent = await stage.request(
      admin.id,
      'POST',
      '/api/admin/device-groups',
      { name: '三楼' },
      'admin',
    );
    const child = await stage.request(
      admin.id,
      'POST',
      '/api/admin/device-groups',
      { name: '东翼' },
      'admin',
    );
    await stage.request(
      admin.id,
      'PUT',
      `/api/admin/device-groups/${child.id}`,
      { parent_id: parent.id },
      'admin',
    );
    await stage.request(admin.id, 'DELETE', `/api/admin/device-groups/${child.id}`, undefined, 'admin');

    const page = await stage.open(admin, `/admin/audit?actor_type=user&actor_id=${admin.id}`);
    const entry = (what: string) => page.getByRole('row').filter({ hasText: what });
    await expect(entry('User updated')).toContainText('李雷(夜班)');
    await expect(entry('User updated')).toContainText(/Before: 李雷\s*→\s*After: 李雷\(夜班\)/);
    await expect(entry('User updated')).toContainText(/Before: User\s*→\s*After: Administrator/);
    await expect(entry('User updated').getByRole('link', { name: admin.name })).toHaveAttribute(
      'href',
      `/admin/users?user=${admin.id}`,
    );
    await expect(entry('Users updated in bulk')).toContainText(/Users\s*After: 李雷\(夜班\), 韩梅梅/);
    await expect(entry('Users updated in bulk')).toContainText(/Status\s*After: Disabled/);
    // Deleted groups are shown by name too, also as the parent.
    await expect(entry('Device group updated')).toContainText(
      /东翼.*Parent group\s*Before: none\s*→\s*After: 三楼/,
    );
    await expect(entry('Device group deleted')).toContainText('东翼');
    const { request_id } = (
      await stage.requestAsAdmin('GET', `/api/admin/audit?actor_type=user&actor_id=${admin.id}`)
    ).items[0];
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Request' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText(request_id)).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await entry('User created').getByText('More fields: 1').focus();
    await page.keyboard.press('Enter');
    await expect(entry('User created').getByText('***')).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
  },
);

test('filters are in the URL; paging, history and export use the same filters', async ({ stage, admin }) => {
  const li = await stage.person({ name: '李雷' });
  for (let turn = 1; turn <= 25; turn += 1) {
    const name = `李雷 ${turn}`;
    await stage.request(admin.id, 'PUT', `/api/admin/users/${li.id}`, { name }, 'admin');
  }
  const page = await stage.open(admin, '/admin/audit');
  const rows = page.locator('tbody').getByRole('row');
  await page.getByRole('combobox', { name: 'Actor' }).click();
  await page.getByTitle('User', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Acting user' }).fill(admin.account);
  await page.getByRole('option', { name: admin.name }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`actor_id=${admin.id}`));
  await page.getByRole('combobox', { name: 'Action' }).fill('User up');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/action=user\.update/);
  await page.getByRole('combobox', { name: 'Target' }).click();
  await page.getByTitle('User', { exact: true }).last().click();
  await page.getByRole('combobox', { name: 'User', exact: true }).fill(li.account);
  await page.getByRole('option', { name: /李雷 25/ }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`object_id=${li.id}`));
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await expect(rows).toHaveCount(20);
  await expect(rows.first()).toContainText('李雷 25');

  await page.reload();
  await expect(rows.first()).toContainText('李雷 25');
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(rows).toHaveCount(5);
  await expect(page.getByRole('button', { name: 'Older' })).toBeDisabled();
  await page.goBack();
  await expect(rows).toHaveCount(20);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit.csv');
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.split('\r\n')[0]).toContain('actor_name');

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/admin\/audit$/);
});

test('fields of all kinds have a label, and ids have no thousands separators', async ({ stage, admin }) => {
  const page = await stage.emptyTab(admin, { options: { locale: 'zh-CN' } });
  await page.route('**/api/admin/audit?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const after = { conversation_id: 12_345, message_type: 'text', mime_type: 'image/png', size: 2_000_000 };
    body.data.items = [{ ...body.data.items[0], before: null, after }];
    await route.fulfill({ response, json: body });
  });
  await page.goto('/admin/audit');
  const entry = page.getByRole('row').last();
  await expect(entry).toContainText(/聊天会话.*12345.*消息类型.*text.*MIME 类型.*image\/png.*大小.*2 MB/);
  await expect(page.getByRole('columnheader', { name: '操作者', exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: '对象', exact: true })).toBeVisible();
});

test('dependent filters wait for each other; a bad cursor and a lost connection are errors; dark, phone, Chinese', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/audit?actor_type=user&object_id=3', {
    options: { colorScheme: 'dark', locale: 'zh-CN', viewport: { width: 360, height: 740 } },
    mayLogErrors: /status of 422|ERR_FAILED/,
  });
  const entries = page.locator('.cards').getByRole('listitem');
  await expect(entries.filter({ hasText: '管理员登录' }).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.goto('/admin/audit?cursor=nonsense');
  await expect(page.getByRole('alert').filter({ hasText: 'cursor' })).toBeVisible();
  await page.getByRole('button', { name: '最新' }).click();
  await expect(entries.first()).toBeVisible();

  await page.route('**/api/admin/audit*', (route) => route.abort());
  await page.getByRole('combobox', { name: '对象类型' }).click();
  await page.getByTitle('设备', { exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: '无法连接服务' })).toBeVisible();
  await page.unroute('**/api/admin/audit*');
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page).toHaveURL(/object_type=device/);
});
