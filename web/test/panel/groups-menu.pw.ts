import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { drag, insideOf, INTO, makeSite, openGroup, row } from './support/groups';

test('the menu of a group opens by right click: subgroup, group below, rename, move, delete', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A', 'B', 'C']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
  await openGroup(page, site.name);
  const menu = page.locator('.ant-dropdown').getByRole('menu');
  const choose = async (group: string, command: string): Promise<void> => {
    await row(page, group).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: command, exact: true }).click();
  };

  await row(page, 'B').click({ button: 'right' });
  await expect(menu.getByRole('menuitem')).toHaveText([
    'New subgroup',
    'New group below',
    'Rename',
    'Move to…',
    'Delete group',
  ]);
  await expect(row(page, 'B')).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await menu.getByRole('menuitem', { name: 'New subgroup' }).click();
  const create = page.getByRole('dialog', { name: 'New group' });
  await create.getByLabel('Name').fill('Inner');
  await create.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => insideOf(stage, site.id)).toBe('A B(Inner) C');

  await choose('A', 'New group below');
  await create.getByLabel('Name').fill('A2');
  await create.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => insideOf(stage, site.id)).toBe('A A2 B(Inner) C');

  await choose('C', 'Rename');
  await page.getByRole('textbox', { name: 'Name of C' }).fill('D');
  await page.keyboard.press('Enter');
  await expect.poll(() => insideOf(stage, site.id)).toBe('A A2 B(Inner) D');

  await choose('D', 'Delete group');
  await page.getByRole('dialog', { name: 'Delete D?' }).getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => insideOf(stage, site.id)).toBe('A A2 B(Inner)');
});

test('the menu of a group works by keyboard, returns the focus, and moves the whole selection', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A', 'B', 'C']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
  await openGroup(page, site.name);
  const menu = page.locator('.ant-dropdown').getByRole('menu');
  await row(page, 'B').focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(row(page, 'B')).toBeFocused();

  await page.keyboard.press('Shift+F10');
  await expect(menu).toBeVisible();
  await menu.getByRole('menuitem', { name: 'Rename' }).focus();
  await page.keyboard.press('Enter');
  const name = page.getByRole('textbox', { name: 'Name of B' });
  await expect(name).toBeFocused();
  await name.fill('B2');
  await page.keyboard.press('Enter');
  await expect.poll(() => insideOf(stage, site.id)).toBe('A B2 C');

  // A menu on one of several selected groups is the menu of all of them.
  await row(page, 'B2').click();
  await row(page, 'C').click({ modifiers: ['ControlOrMeta'] });
  await row(page, 'C').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 groups' });
  await dialog.getByRole('combobox', { name: 'Group' }).fill('A');
  await page
    .locator('.ant-select-item-option')
    .filter({ hasText: `${site.name} / A` })
    .click();
  await dialog.getByRole('button', { name: 'Move' }).press('Enter');
  await expect.poll(() => insideOf(stage, site.id)).toBe('A(B2 C)');
});

test('the end of a renaming keeps the field of another group and its text', async ({ stage, admin }) => {
  const site = await makeSite(stage, ['A', 'B']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
  await openGroup(page, site.name);
  const saving = Promise.withResolvers<void>();
  await page.route(`**/api/admin/device-groups/${site.inside.A}`, async (route) => {
    await saving.promise;
    await route.continue();
  });
  await row(page, 'A').dblclick();
  await page.getByRole('textbox', { name: 'Name of A' }).fill('A2');
  const request = page.waitForRequest(`**/api/admin/device-groups/${site.inside.A}`);
  await page.keyboard.press('Enter');
  await request;
  await row(page, 'B').dblclick();
  const other = page.getByRole('textbox', { name: 'Name of B' });
  await other.fill('half of a name');
  saving.resolve();
  await expect(row(page, 'A2')).toBeVisible();
  await expect(other).toHaveValue('half of a name');
});

test('an undo that failed is repeated', async ({ stage, admin }) => {
  const site = await makeSite(stage, ['A', 'B']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`, { mayLogErrors: /409/ });
  await openGroup(page, site.name);
  await drag(row(page, 'A'), row(page, 'B'), INTO);
  await expect.poll(() => insideOf(stage, site.id)).toBe('B(A)');
  const place = `**/api/admin/device-groups/${site.inside.A}/**`;
  await page.route(place, (route) =>
    route.fulfill({ status: 409, json: { code: 409, message: '操作冲突', data: null } }),
  );
  const undo = page.getByRole('region', { name: 'Device groups' }).getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(page.locator('.ant-message-error')).toBeVisible();
  await page.unroute(place);
  await undo.click();
  await expect.poll(() => insideOf(stage, site.id)).toBe('A B');
  await expect(undo).toBeDisabled();
});
