import { expect, test } from '../support/journey';
import {
  AFTER,
  BEFORE,
  drag,
  groupNamed,
  insideOf,
  INTO,
  makeGroups,
  makeSite,
  openGroup,
  row,
} from './support/groups';

test(
  'groups are dragged before, into and after others, one or several, and each move can be undone',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const site = await makeSite(stage, ['A', 'B', 'C', 'D', 'E']);
    const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
    await openGroup(page, site.name);

    await drag(row(page, 'D'), row(page, 'B'), BEFORE);
    await expect(page.getByText(`Moved D to ${site.name}`).last()).toBeVisible();
    expect(await insideOf(stage, site.id)).toBe('A D B C E');

    await drag(row(page, 'A'), row(page, 'C'), AFTER);
    await expect.poll(() => insideOf(stage, site.id)).toBe('D B C A E');

    // Dragging one selected group moves the whole selection in tree order.
    await row(page, 'E').click();
    await row(page, 'B').click({ modifiers: ['ControlOrMeta'] });
    await expect(page.getByText('2 groups selected')).toBeVisible();
    await drag(row(page, 'E'), row(page, 'A'), INTO);
    const message = page.locator('.ant-message-notice').filter({ hasText: 'Moved 2 groups to A' });
    // Hovering keeps the message open.
    await message.hover();
    await expect.poll(() => insideOf(stage, site.id)).toBe('D C A(B E)');
    await message.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => insideOf(stage, site.id)).toBe('D B C A E');
    await expect(row(page, 'A')).not.toHaveAttribute('aria-expanded');

    // A second undo reverts the preceding move, by the button and by the keyboard.
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await expect.poll(() => insideOf(stage, site.id)).toBe('A D B C E');
    await row(page, 'C').focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => insideOf(stage, site.id)).toBe('A B C D E');
  },
);

test('a collapsed group expands during a drag, and no group can be moved into itself', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A', 'B']);
  await makeGroups(stage, ['Inner'], site.inside.B);
  // High enough that no row is near the edge, where browsers scroll during a drag.
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`, {
    options: { viewport: { width: 1280, height: 1600 } },
  });
  await openGroup(page, site.name);

  await row(page, 'A').hover();
  await page.mouse.down();
  // The browser sends `dragover` from the second move on: the first one starts the drag, or enters the row.
  for (let move = 1; move <= 2; move += 1) await row(page, 'B').hover({ position: INTO.targetPosition });
  await expect(row(page, 'B')).toHaveAttribute('data-drop', 'into');
  await expect(row(page, 'Inner')).toBeVisible();
  for (let move = 1; move <= 2; move += 1) await row(page, 'Inner').hover({ position: AFTER.targetPosition });
  await expect(row(page, 'Inner')).toHaveAttribute('data-drop', 'after');
  await page.mouse.up();
  await expect.poll(() => insideOf(stage, site.id)).toBe('B(Inner A)');

  await drag(row(page, 'B'), row(page, 'Inner'), INTO);
  await expect(row(page, 'Inner')).not.toHaveAttribute('data-drop');
  expect(await insideOf(stage, site.id)).toBe('B(Inner A)');
});

test('the tree works by keyboard: navigate, pick up, drop, cancel, select several, move to…', async ({
  stage,
  admin,
}) => {
  // More names contain a D than the dialog offers.
  await makeSite(
    stage,
    Array.from({ length: 21 }, (_, index) => `D${index}`),
  );
  const site = await makeSite(stage, ['A', 'B', 'C', 'D']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
  await expect(row(page, site.name)).toHaveAttribute('aria-selected', 'true');
  await row(page, site.name).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'A')).toBeFocused();

  const status = page.locator('output[aria-live=polite]');
  await page.keyboard.press('Space');
  await expect(status).toContainText('Picked up 1 group.');
  await page.keyboard.press('ArrowDown');
  await expect(status).toHaveText('Into B');
  await page.keyboard.press('ArrowDown');
  await expect(status).toHaveText('After B');
  await page.keyboard.press('Enter');
  await expect.poll(() => insideOf(stage, site.id)).toBe('B A C D');
  await expect(page.getByText(`Moved A to ${site.name}`)).toBeVisible();
  await expect(row(page, 'A')).toBeFocused();

  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(status).toHaveText('Move cancelled');
  expect(await insideOf(stage, site.id)).toBe('B A C D');

  // Moves two groups through the dialog. Enter selects A first, because the site is still the selected group.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'A' })).toBeVisible();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 groups selected')).toBeVisible();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Move 2 groups' });
  await dialog.getByRole('radio', { name: 'Before a group' }).press('Space');
  await dialog.getByRole('combobox', { name: 'Group' }).fill('D');
  await page
    .locator('.ant-select-item-option')
    .filter({ hasText: `${site.name} / D` })
    .click();
  await dialog.getByRole('button', { name: 'Move' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(() => insideOf(stage, site.id)).toBe('B A C D');

  // The focus returns to where it was before.
  await expect(row(page, 'C')).toBeFocused();
  await row(page, 'B').focus();
  await page.keyboard.press('m');
  const alone = page.getByRole('dialog', { name: 'Move B' });
  await alone.getByRole('radio', { name: 'At the top level, at the end' }).check();
  await alone.getByRole('button', { name: 'Move' }).press('Enter');
  await expect(alone).toBeHidden();
  await expect(row(page, 'B')).toHaveAttribute('aria-level', '1');
  await expect.poll(() => insideOf(stage, site.id)).toBe('A C D');
  await page.getByRole('button', { name: 'Undo', exact: true }).last().press('Enter');
  await expect.poll(() => insideOf(stage, site.id)).toBe('B A C D');
});

test('search shows matches with their ancestors, and is in the URL', async ({ stage, admin }) => {
  const site = await makeSite(stage, ['North wing', 'South wing']);
  const mark = site.name.slice(5);
  await makeGroups(stage, [`Straße ${mark}`, 'Cellar'], site.inside['South wing']);
  const page = await stage.open(admin, '/admin/groups');
  await page.getByRole('textbox', { name: 'Search groups by name' }).fill(`STRASSE ${mark}`);
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await expect(row(page, `Straße ${mark}`)).toHaveAttribute('aria-level', '3');
  await expect(row(page, 'South wing')).toHaveAttribute('aria-expanded', 'true');
  await expect(row(page, 'North wing')).toBeHidden();
  await expect(page.locator('output[aria-live=polite]')).toHaveText('1 group found');

  await row(page, `Straße ${mark}`).click();
  await page.reload();
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await expect(page.getByRole('heading', { level: 2, name: `Straße ${mark}` })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Path' })).toContainText('South wing');

  // Without a search, the tree is expanded down to the selected group.
  await page.getByRole('textbox', { name: 'Search groups by name' }).fill('');
  await expect(row(page, 'Cellar')).toBeVisible();
  await expect(row(page, `Straße ${mark}`)).toHaveAttribute('aria-current', 'true');

  await page.getByRole('textbox', { name: 'Search groups by name' }).fill(`nothing ${mark}`);
  await expect(page.getByText('No matches.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Path' }).getByText('South wing').click();
  await expect(page).toHaveURL(new RegExp(`group=${site.inside['South wing']}`));
  await page.goBack();
  await expect(page.getByRole('heading', { level: 2, name: `Straße ${mark}` })).toBeVisible();
});

test('groups are created, renamed in place, described, disabled and deleted; errors are shown at the field', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A', 'B 1']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`, {
    mayLogErrors: /status of 4(09|22)/,
  });
  await openGroup(page, site.name);

  await page.getByRole('button', { name: 'New subgroup' }).click();
  const form = page.getByRole('dialog', { name: 'New group' });
  await expect(form).toContainText(`It will be added to ${site.name}.`);
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await form.getByRole('textbox', { name: 'Description' }).fill('Where the boxes are');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('name must not be empty')).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Description' })).toHaveValue('Where the boxes are');
  await form.getByRole('textbox', { name: 'Name' }).fill('Store');
  await form.getByRole('button', { name: 'Create' }).dblclick();
  await expect(form).toBeHidden();
  await expect(page.getByRole('heading', { level: 2, name: 'Store' })).toBeVisible();
  await expect(page.getByText('Where the boxes are', { exact: true })).toBeVisible();
  expect(await insideOf(stage, site.id)).toBe('A B 1 Store');

  await row(page, 'A').click();
  await page.getByRole('button', { name: 'New group below' }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill('Between');
  await form.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(row(page, 'Between')).toHaveAttribute('aria-current', 'true');
  expect(await insideOf(stage, site.id)).toBe('A Between B 1 Store');

  await row(page, 'B 1').dblclick();
  const name = page.getByRole('textbox', { name: 'Name of B 1' });
  await expect(name).toBeFocused();
  await name.fill('x'.repeat(101));
  await name.press('Enter');
  await expect(name).toHaveAccessibleDescription('name must not be longer than 100 characters');
  await expect(name).toHaveValue('x'.repeat(101));
  await name.fill('B 2');
  await name.press('Enter');
  await expect(row(page, 'B 2')).toBeVisible();
  await expect.poll(() => insideOf(stage, site.id)).toBe('A Between B 2 Store');
  await row(page, 'B 2').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('never');
  // The Escape of an input method cancels a composition.
  const renaming = page.getByRole('textbox', { name: 'Name of B 2' });
  await renaming.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, isComposing: true, bubbles: true });
  await renaming.press('Escape');
  await expect(row(page, 'B 2')).toBeVisible();

  await row(page, 'B 2').click();
  await page.getByRole('switch', { name: 'Enabled' }).click();
  await expect(row(page, 'B 2, Disabled')).toBeVisible();

  // The obstacles are shown before the request, and by the service if another administrator was faster.
  await row(page, site.name).click();
  await page.getByRole('button', { name: 'Delete group' }).click();
  const deletion = page.getByRole('dialog', { name: `Delete ${site.name}?` });
  await expect(deletion).toContainText('4 subgroups');
  await expect(deletion.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await deletion.getByRole('button', { name: 'Close' }).last().click();
  await row(page, 'Between').click();
  await page.getByRole('button', { name: 'Delete group' }).click();
  const second = page.getByRole('dialog', { name: 'Delete Between?' });
  await expect(second).toContainText('This can’t be undone.');
  const { id: between } = await groupNamed(stage, site.id, 'Between');
  await makeGroups(stage, ['Too fast'], between);
  await second.getByRole('button', { name: 'Delete' }).click();
  await expect(second.getByRole('alert')).toContainText('The group has subgroups');
  await expect(second).toContainText('1 subgroup');
  await second.getByRole('button', { name: 'Close' }).last().click();
  await row(page, 'Store').click();
  await row(page, 'Store').press('Delete');
  await page.getByRole('dialog', { name: 'Delete Store?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, 'Store')).toBeHidden();
  await expect(page.getByRole('heading', { level: 2, name: site.name })).toBeVisible();
});

test('two administrators: a rejected move is reverted and explained, and both see the same tree', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['Ash', 'Birch', 'Cedar']);
  const other = await stage.person({ role: 'admin' });
  const mine = await stage.open(admin, `/admin/groups?group=${site.id}`, {
    mayLogErrors: /status of 4(04|22)/,
  });
  const theirs = await stage.open(other, `/admin/groups?group=${site.id}`);
  await openGroup(mine, site.name);
  await openGroup(theirs, site.name);

  // Both administrators move a group: the second move is relative to the state after the first.
  await drag(row(theirs, 'Cedar'), row(theirs, 'Ash'), BEFORE);
  await expect.poll(() => insideOf(stage, site.id)).toBe('Cedar Ash Birch');
  await drag(row(mine, 'Birch'), row(mine, 'Ash'), BEFORE);
  await expect.poll(() => insideOf(stage, site.id)).toBe('Cedar Birch Ash');
  await expect(row(mine, 'Cedar')).toHaveAttribute('aria-posinset', '1');

  // The target was deleted.
  await stage.requestAsAdmin('DELETE', `/api/admin/device-groups/${site.inside.Cedar}`);
  await drag(row(mine, 'Ash'), row(mine, 'Cedar'), INTO);
  const refusal = mine
    .locator('.ant-message-notice')
    .filter({ hasText: 'The groups were changed by someone else' });
  await expect(refusal).toContainText('The parent group does not exist');
  await expect(row(mine, 'Cedar')).toBeHidden();
  await expect(row(mine, 'Ash')).toHaveAttribute('aria-level', '2');
  expect(await insideOf(stage, site.id)).toBe('Birch Ash');

  // The moved group was deleted, which is also the one shown in the details.
  await row(mine, 'Birch').click();
  await stage.requestAsAdmin('DELETE', `/api/admin/device-groups/${site.inside.Birch}`);
  await drag(row(mine, 'Birch'), row(mine, 'Ash'), AFTER);
  await expect(refusal.filter({ hasText: 'The group does not exist' })).toBeVisible();
  await expect(row(mine, 'Birch')).toBeHidden();
  await expect(mine.getByText('This group doesn’t exist.')).toBeVisible();

  // Returning to a window refreshes it.
  await theirs.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(row(theirs, 'Cedar')).toBeHidden();
  await expect(row(theirs, 'Birch')).toBeHidden();
});
