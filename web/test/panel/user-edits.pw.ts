import { randomBytes } from 'node:crypto';
import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';
import { expectToast } from '../support/toasts';

test('a lost response does not create a user twice', { tag: '@smoke' }, async ({ stage, admin }) => {
  const account = `w${randomBytes(5).toString('hex')}`;
  const page = await stage.open(admin, '/admin/users?create=1', { mayLogErrors: /ERR_|status of/ });
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.getByRole('textbox', { name: 'Account' }).fill(account);
  await dialog.getByRole('textbox', { name: 'Password' }).fill('callboard-demo');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Once');
  await page.route('**/api/admin/users', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible();
  await page.unroute('**/api/admin/users');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'User created');
  const found = await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${account}`);
  expect(found.pagination.total).toBe(1);
});

test('saving the name of a user keeps the status and role that another administrator changed', async ({
  stage,
  admin,
}) => {
  const user = await stage.person();
  const path = `/api/admin/users/${user.id}`;
  const page = await stage.open(admin, `/admin/users?user=${user.id}`, { mayLogErrors: /status of 422/ });
  const drawer = page.getByRole('dialog');
  const save = drawer.getByRole('button', { name: 'Save' });
  const picture = drawer.getByRole('textbox', { name: 'Picture' });
  await expect(picture).toHaveValue('');
  await stage.requestAsAdmin('PUT', path, { status: 0, role: 'admin' });
  // After a rejected save the drawer shows the current user, and the form keeps its input.
  await picture.fill('javascript:alert(1)');
  await save.click();
  await expect(picture).toHaveAccessibleDescription(/is invalid/);
  await expect(drawer.locator('.drawer-head')).toContainText('Disabled');
  await picture.fill('');

  const form = drawer.locator('form');
  for (const [label, field, value] of [
    ['Name', 'name', 'Renamed'],
    ['External ID', 'external_id', `crm-${user.id}`],
  ] as const) {
    await form.getByRole('textbox', { name: label }).fill(value);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await save.click();
    expect((await sent).postDataJSON()).toEqual({ [field]: value });
    // After a save the form shows the current values.
    await expect(form).toContainText('Disabled');
  }
  expect(await stage.requestAsAdmin('GET', path)).toMatchObject({ status: 0, role: 'admin' });
});

test('text typed while a user is being saved is kept, and saved by the next click', async ({
  stage,
  admin,
}) => {
  const user = await stage.person();
  const page = await stage.open(admin, `/admin/users?user=${user.id}`);
  const form = page.getByRole('dialog').locator('form');
  const save = form.getByRole('button', { name: 'Save' });
  const { isHeld, release } = await holdResponses(page, 'PUT', `**/api/admin/users/${user.id}`);
  await form.getByRole('textbox', { name: 'Name' }).fill('Renamed');
  await save.click();
  await isHeld;
  await form.getByRole('textbox', { name: 'External ID' }).fill(`crm-${user.id}`);
  release();
  await expectToast(page, 'Saved');
  await expect(form.getByRole('textbox', { name: 'External ID' })).toHaveValue(`crm-${user.id}`);
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await save.click();
  expect((await sent).postDataJSON()).toEqual({ external_id: `crm-${user.id}` });
  await expectToast(page, 'Saved');
});
