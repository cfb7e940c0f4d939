import { randomBytes } from 'node:crypto';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { expectToast } from '../support/toasts';

const nameOfOwn = (): string => `CRM ${randomBytes(4).toString('hex')}`;

test(
  'a key is created, shown once, used, changed and revoked',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const name = nameOfOwn();
    const page = await stage.open(admin, '/admin/keys', { mayLogErrors: /status of 422/ });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New key' }).click();
    const form = page.getByRole('dialog', { name: 'New key' });
    const create = form.getByRole('button', { name: 'Create' });
    const field = (label: string) => form.getByLabel(label);

    await create.click();
    await expect(form.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(
      /must not be empty/,
    );
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await create.click();
    await expect(form.getByRole('group', { name: 'Scopes' })).toHaveAccessibleDescription(
      /must not be empty/,
    );
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await form.getByRole('checkbox', { name: 'users:read' }).check();
    await form.getByRole('checkbox', { name: 'audit:read' }).check();
    await field('Valid until').fill('2020-01-31');
    await create.click();
    await expect(field('Valid until')).toHaveAccessibleDescription(/is invalid/);
    await field('Valid until').fill('2099-01-31');
    await field('Requests per minute').fill('many');
    await create.click();
    await expect(field('Requests per minute')).toHaveAccessibleDescription(/must be an integer/);
    await field('Requests per minute').fill('1200');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await create.dblclick();

    const shown = page.getByRole('dialog', { name: `API key for ${name}` });
    const text = shown.getByRole('textbox', { name: 'API key' });
    await expect(text).toHaveValue(/^cbk_[a-z0-9]{8}_/);
    const secret = await text.inputValue();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const warning = page.getByRole('dialog').filter({ hasText: 'It won’t be shown again.' });
    await warning.getByRole('button', { name: 'Back to the key' }).click();
    await expect(warning).toBeHidden();
    await shown.getByRole('button', { name: 'Copy' }).click();
    await expectToast(page, 'Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await shown.getByRole('button', { name: 'I’ve saved it' }).click();
    await expect(shown).toBeHidden();
    expect(await page.content()).not.toContain(secret);

    const row = page.getByRole('row').filter({ hasText: name });
    // The end of that day in the service's time zone, Asia/Shanghai.
    await expect(row).toContainText('2099-02-01 00:00');
    await expect(row).toContainText('1,200');
    await expect(row).toContainText('Never');
    await expect(row.getByRole('link', { name: admin.name })).toBeVisible();
    const keys = await stage.requestAsAdmin('GET', '/api/admin/keys?per_page=100');
    expect(keys.items.filter((key: { name: string }) => key.name === name)).toMatchObject([
      { expires_at: '2099-01-31T16:00:00.000Z', scopes: ['users:read', 'audit:read'], rate_per_minute: 1200 },
    ]);
    const headers = { authorization: `Bearer ${secret}` };
    const used = await fetch(`${stage.service.url}/api/admin/users?per_page=1`, { headers });
    expect(used.status).toBe(200);

    await row.getByRole('button', { name: `Edit key ${name}` }).click();
    const edit = page.getByRole('dialog', { name: 'Edit key' });
    await expect(edit.getByLabel('Valid until')).toHaveValue('2099-01-31');
    await edit.getByLabel('Valid until').fill('');
    await edit.getByRole('checkbox', { name: 'users:read' }).uncheck();
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(edit).toBeHidden();
    await expect(row).toContainText('No expiry');
    await expect(row).not.toContainText('users:read');

    const revoke = row.getByRole('button', { name: `Revoke key ${name}` });
    await revoke.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog').filter({ hasText: 'This can’t be undone.' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(revoke).toBeFocused();
    await revoke.click();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await expect(row).toHaveCount(0);
    expect((await fetch(`${stage.service.url}/api/admin/users`, { headers })).status).toBe(401);
  },
);

test('closing without copying the key warns; a key whose response was lost is explained', async ({
  stage,
  admin,
}) => {
  const [first, second] = [nameOfOwn(), nameOfOwn()];
  const page = await stage.open(admin, '/admin/keys?create=1', { mayLogErrors: /ERR_|status of/ });
  const form = page.getByRole('dialog', { name: 'New key' });
  await form.getByRole('textbox', { name: 'Name' }).fill(first);
  await form.getByRole('checkbox', { name: 'calls:read' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('button', { name: 'Close anyway' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: first })).toBeVisible();

  await page.getByRole('button', { name: 'New key' }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill(second);
  await form.getByRole('checkbox', { name: 'calls:read' }).check();
  await page.route('**/api/admin/keys', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByRole('alert')).toContainText('Your changes are still here.');
  await page.unroute('**/api/admin/keys');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'the response with its value was lost' }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').filter({ hasText: second })).toHaveCount(1);
});

test('keys in the dark theme, in Chinese, on a phone; a key revoked by another administrator', async ({
  stage,
  admin,
}) => {
  const name = nameOfOwn();
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/keys', { name, scopes: ['users:write'] });
  const page = await stage.open(admin, '/admin/keys', {
    options: { colorScheme: 'dark', locale: 'zh-CN', viewport: { width: 360, height: 740 } },
    mayLogErrors: /status of 404/,
  });
  const row = page.getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('永久有效');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await stage.requestAsAdmin('DELETE', `/api/admin/keys/${id}`);
  await row.getByRole('button', { name: `吊销密钥 ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: '吊销' }).click();
  await expect(page.getByText('该密钥已被吊销，列表已更新。')).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: '新建密钥' }).click();
  await expect(page.getByRole('dialog', { name: '新建密钥' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const create = page.getByRole('dialog').getByRole('button', { name: '新建' });
  await create.scrollIntoViewIfNeeded();
  await expect(create).toBeInViewport();
});

test('saving the name of a key keeps the scopes that another administrator changed', async ({
  stage,
  admin,
}) => {
  const name = nameOfOwn();
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/keys', {
    name,
    scopes: ['users:read', 'audit:read'],
    expires_at: '2099-01-31T10:00:00.000Z',
  });
  const page = await stage.open(admin, `/admin/keys?key=${id}`);
  const edit = page.getByRole('dialog', { name: 'Edit key' });
  await edit.getByRole('textbox', { name: 'Name' }).fill(`${name} 2`);
  await stage.requestAsAdmin('PUT', `/api/admin/keys/${id}`, { scopes: ['calls:read'], rate_per_minute: 30 });
  // Returning to a window refreshes it.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const row = page.getByRole('row', { includeHidden: true }).filter({ hasText: name });
  await expect(row).toContainText('calls:read');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await edit.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ name: `${name} 2` });
  await expect(edit).toBeHidden();
  await expect(row).toContainText('calls:read');
});
