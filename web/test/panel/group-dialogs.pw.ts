import type { Page } from '@playwright/test';
import { expect, test } from '../support/journey';
import { expectToast } from '../support/toasts';
import { insideOf, makeSite, openGroup, row } from './support/groups';

const CHANGED = 'The groups were changed by someone else.';

/** Reloads the tree, as returning to a window does. */
const refresh = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));

test('saving the description of a group keeps the name that another administrator changed', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A']);
  const path = `/api/admin/device-groups/${site.inside.A}`;
  const page = await stage.open(admin, `/admin/groups?group=${site.inside.A}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit group' });
  await form.getByRole('textbox', { name: 'Description' }).fill('Ground floor');
  await stage.requestAsAdmin('PUT', path, { name: 'B' });
  await refresh(page);
  await expect(page.getByRole('heading', { level: 2, name: 'B', includeHidden: true })).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await form.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ description: 'Ground floor' });
  await expect(form).toBeHidden();
  expect(await stage.requestAsAdmin('GET', path)).toMatchObject({ name: 'B', description: 'Ground floor' });
});

test('the dialog of a group that another administrator deletes keeps its input and shows the error', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A', 'B']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`, { mayLogErrors: /status of 404/ });
  await openGroup(page, site.name);
  await row(page, 'A').click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit group' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Renamed');
  await stage.requestAsAdmin('DELETE', `/api/admin/device-groups/${site.inside.A}`);
  await refresh(page);
  await expect(page.getByText('This group doesn’t exist.')).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('The group does not exist');
  await expect(form.getByRole('alert')).toContainText(CHANGED);
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Renamed');
});

test('the dialogs of groups report a lost connection without naming other administrators', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A']);
  const page = await stage.open(admin, `/admin/groups?group=${site.inside.A}`, {
    mayLogErrors: /ERR_FAILED/,
  });
  await page.route(`**/api/admin/device-groups/${site.inside.A}`, (route) => route.abort());
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit group' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Renamed');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('cannot be reached');
  await expect(form.getByRole('alert')).not.toContainText(CHANGED);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toBeHidden();

  await page.getByRole('button', { name: 'Delete group' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete A?' });
  await deletion.getByRole('button', { name: 'Delete' }).click();
  await expect(deletion.getByRole('alert')).toContainText('cannot be reached');
  await expect(deletion.getByRole('alert')).not.toContainText(CHANGED);
});

test('a group is created once when the response is lost and the form is sent again', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`, { mayLogErrors: /ERR_|status of/ });
  await openGroup(page, site.name);
  await row(page, site.name).click({ button: 'right' });
  await page.locator('.ant-dropdown').getByRole('menuitem', { name: 'New subgroup' }).click();
  const form = page.getByRole('dialog', { name: 'New group' });
  await form.getByRole('textbox', { name: 'Name' }).fill('B');
  await page.route('**/api/admin/device-groups', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByRole('alert')).toContainText('cannot be reached');
  // The tree is refetched after the failure and contains the group.
  await expect(page.getByRole('treeitem', { name: 'B', exact: true, includeHidden: true })).toBeVisible();
  await page.unroute('**/api/admin/device-groups');
  await form.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'Group created');
  await expect(form).toBeHidden();
  expect(await insideOf(stage, site.id)).toBe('A B');
});

test('a group whose neighbour was deleted is created, with a warning', async ({ stage, admin }) => {
  const site = await makeSite(stage, ['A', 'C']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`, { mayLogErrors: /status of 422/ });
  await openGroup(page, site.name);
  await row(page, 'A').click({ button: 'right' });
  await page.locator('.ant-dropdown').getByRole('menuitem', { name: 'New group below' }).click();
  const form = page.getByRole('dialog', { name: 'New group' });
  await form.getByRole('textbox', { name: 'Name' }).fill('B');
  await stage.requestAsAdmin('DELETE', `/api/admin/device-groups/${site.inside.A}`);
  await form.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'Group created, but not moved to its place: ');
  await expect(form).toBeHidden();
  await expect(page.getByRole('heading', { level: 2, name: 'B', exact: true })).toBeVisible();
  expect(await insideOf(stage, site.id)).toBe('B C');
});
