import { findAccessibilityViolations } from '../support/accessibility';
import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';
import { expectToast } from '../support/toasts';
import { INTO, drag, makeGroups, makeSite, openGroup, row } from './support/groups';

/** Creates devices, adds them to a group, and returns their names. */
async function makeDevices(stage: Stage, count: number, groupId?: number): Promise<string[]> {
  const mark = crypto.randomUUID().slice(0, 8);
  const devices = Array.from({ length: count }, (_, index) => ({
    serial_no: `SN-${mark}-${index + 1}`,
    name: `Door ${mark}-${index + 1}`,
    ...(groupId !== undefined && { group_ids: [groupId] }),
  }));
  await stage.requestAsAdmin('POST', '/api/admin/devices/bulk', { devices });
  return devices.map(({ name }) => name);
}

async function devicesIn(stage: Stage, groupId: number): Promise<string[]> {
  const { items } = await stage.requestAsAdmin(
    'GET',
    `/api/admin/device-groups/${groupId}/devices?per_page=100`,
  );
  return (items as { name: string }[]).map(({ name }) => name);
}

test('devices are found and added, dragged to other groups, moved by a dialog and removed', async ({
  stage,
  admin,
}) => {
  const site = await makeSite(stage, ['A', 'B']);
  const { A = 0, B = 0 } = site.inside;
  const [first = '', second = '', third = ''] = await makeDevices(stage, 3, A);
  const [lonely = '', later = ''] = await makeDevices(stage, 2);
  await stage.requestAsAdmin('POST', `/api/admin/device-groups/${B}/devices`, {
    device_ids: (
      await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${encodeURIComponent(third)}`)
    ).items.map(({ id }: { id: number }) => id),
  });
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
  await openGroup(page, site.name);
  await row(page, 'A').click();

  const picker = page.getByRole('combobox', { name: 'Devices to add' });
  const pick = async (name: string): Promise<void> => {
    await picker.fill(name);
    await page.locator('.ant-select-item-option').filter({ hasText: name }).click();
    await page.keyboard.press('Escape');
  };
  const picked = page.locator('.ant-select-selection-item');
  const adding = await holdResponses(page, 'POST', `**/api/admin/device-groups/${A}/devices`);
  await pick(lonely);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await adding.isHeld;
  // A device that is picked during the request stays picked.
  await pick(later);
  adding.release();
  await expect(page.getByRole('row', { name: lonely })).toBeVisible();
  await expect(picked).toHaveText([new RegExp(later)]);
  await page.keyboard.press('Backspace');
  await expect(picked).toHaveCount(0);
  expect(await devicesIn(stage, A)).toEqual([first, second, third, lonely]);
  await expect(row(page, 'A')).toHaveAccessibleDescription('4 devices including subgroups');

  // Moves one device, then two. Undo restores devices that were in both groups to both.
  const { promise: isSelected, resolve: select } = Promise.withResolvers<void>();
  const tree = '**/api/admin/device-groups/tree*';
  await page.route(tree, async (route) => {
    await isSelected;
    await route.continue();
  });
  await drag(page.getByRole('row', { name: first }), row(page, 'B'), INTO);
  await expect(page.getByRole('row', { name: first })).toBeHidden();
  await expect.poll(() => devicesIn(stage, B)).toEqual([first, third]);
  await page.getByRole('checkbox', { name: `Select ${second}` }).check();
  // The first move is over when the tree is read again. It keeps what was selected meanwhile.
  select();
  await expect(page.getByText('Moved 1 device to B')).toBeVisible();
  await page.unroute(tree);
  await page.getByRole('checkbox', { name: `Select ${third}` }).check();
  await drag(page.getByRole('row', { name: second }), row(page, 'B'), INTO);
  const message = page.locator('.ant-message-notice').filter({ hasText: 'Moved 2 devices to B' });
  // Hovering keeps the message open.
  await message.hover();
  await expect.poll(() => devicesIn(stage, B)).toEqual([first, second, third]);
  await expect(page.getByText('2 devices selected')).toBeHidden();
  await message.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => devicesIn(stage, A)).toEqual([second, third, lonely]);
  await expect.poll(() => devicesIn(stage, B)).toEqual([first, third]);

  await expect(page.getByRole('row', { name: lonely })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: `Select ${third}` })).not.toBeChecked();
  await page.getByRole('checkbox', { name: `Select ${second}` }).check();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByRole('checkbox', { name: `Select ${second}` })).not.toBeChecked();
  await page.getByRole('checkbox', { name: `Select ${lonely}` }).check();
  await page.getByRole('button', { name: 'Move to group…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 1 device to another group' });
  await dialog.getByRole('combobox', { name: 'Group' }).fill(site.name.slice(5));
  await page
    .locator('.ant-select-item-option')
    .filter({ hasText: new RegExp(`${site.name}$`) })
    .click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => devicesIn(stage, site.id)).toEqual([lonely]);

  await page.getByRole('checkbox', { name: `Select ${second}` }).check();
  await page.getByRole('button', { name: 'Remove from group' }).click();
  await expectToast(page, 'Removed 1 device');
  await expect.poll(() => devicesIn(stage, A)).toEqual([third]);

  await row(page, site.name).click();
  await page.getByRole('switch', { name: 'Include subgroups' }).click();
  await expect(page.getByRole('row', { name: first })).toBeVisible();
  await expect(page).toHaveURL(/below=1/);
  await page.getByRole('link', { name: first }).click();
  await expect(page.getByRole('dialog', { name: first })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the groups have no accessibility violations, ${colorScheme}, in both languages`, async ({
    stage,
    admin,
  }) => {
    const site = await makeSite(stage, ['A', 'B']);
    await makeGroups(stage, ['Inner'], site.inside.A);
    await makeDevices(stage, 2, site.inside.A);
    const page = await stage.open(admin, `/admin/groups?group=${site.inside.A}`, {
      options: { colorScheme },
    });
    await row(page, 'A').press('ArrowRight');
    await expect(row(page, 'Inner')).toBeVisible();
    await expect(page.getByRole('row', { name: 'Door' })).toHaveCount(2);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await row(page, 'A').press('Space');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await row(page, 'A').press('Escape');
    await row(page, 'A').press('F2');
    await expect(page.getByRole('textbox', { name: 'Name of A' })).toBeFocused();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const name of ['New group', 'Move to…', 'Delete group']) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }

    const chinese = await stage.open(admin, `/admin/groups?group=${site.inside.A}`, {
      options: { colorScheme, locale: 'zh-CN' },
    });
    await expect(chinese.getByRole('heading', { level: 1, name: '设备分组' })).toBeVisible();
    await expect(chinese.getByText('1 个下级分组 · 2 台设备 · 含下级共 2 台设备')).toBeVisible();
    await expect(chinese.getByRole('row', { name: 'Door' })).toHaveCount(2);
    expect(await findAccessibilityViolations(chinese)).toEqual([]);
  });

test('on a phone a group opens in a drawer, and nothing overflows horizontally', async ({ stage, admin }) => {
  const site = await makeSite(stage, ['A', 'B']);
  await makeDevices(stage, 2, site.inside.A);
  const page = await stage.open(admin, `/admin/groups?q=${site.name.slice(5)}`, {
    options: { viewport: { width: 360, height: 740 }, hasTouch: true },
  });
  await row(page, site.name).tap();
  const drawer = page.getByRole('dialog', { name: 'Group' });
  await expect(drawer.getByRole('heading', { level: 2, name: site.name })).toBeVisible();
  await expect(drawer.getByText('2 subgroups')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await widthOf()).toBe(360);

  await drawer.getByRole('button', { name: 'Move to…', exact: true }).tap();
  await page
    .getByRole('dialog', { name: `Move ${site.name}` })
    .getByRole('button', { name: 'Cancel' })
    .tap();
  await drawer.getByRole('button', { name: 'Close' }).tap();
  await expect(drawer).toBeHidden();
  await expect(page).not.toHaveURL(/group=/);
  expect(await widthOf()).toBe(360);
});
