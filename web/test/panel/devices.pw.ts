import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';
import { expectToast } from '../support/toasts';

/** Console messages about error responses. */
const REFUSED = /status of 4\d\d/;

/** Creates a group with `count` devices for this test: `Door 01` with the serial number `<mark>-01`, and so on. */
async function createDevices(
  stage: Stage,
  count: number,
): Promise<{ group: number; name: string; mark: string }> {
  const mark = `D${randomBytes(4).toString('hex')}`;
  const name = `Building ${mark}`;
  const { id: group } = await stage.requestAsAdmin('POST', '/api/admin/device-groups', { name });
  const lines = Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(2, '0');
    return `${mark}-${number},Door ${number},${index % 4 === 3 ? 0 : 1}`;
  });
  const file = `serial_no,name,status\n${lines.join('\n')}`;
  await stage.requestAsAdmin('POST', `/api/admin/devices/import?group_id=${group}`, file);
  return { group, name, mark };
}

/** Searches in a picker, and picks the result. */
async function pick(picker: Locator, text: string, label: string): Promise<void> {
  // Waits for the search result: options of the previous list could disappear under the pointer.
  const found = picker.page().waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url());
    return /\/(users|device-groups)$/.test(pathname) && searchParams.get('keyword') === text;
  });
  await picker.fill(text);
  await found;
  await picker.page().locator('.ant-select-dropdown:visible').getByText(label).last().click();
}

const idOf = async (stage: Stage, serial: string): Promise<number> =>
  (await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${serial}`)).items[0].id;

test('devices are found by group, keyword, status and order, and the URL contains all of it', async ({
  stage,
  admin,
}) => {
  const { name, mark } = await createDevices(stage, 45);
  const page = await stage.open(admin, '/admin/devices');
  await pick(page.getByRole('combobox', { name: 'In group' }), mark, name);
  await expect(page.getByText('45 total', { exact: true })).toBeVisible();
  await page.getByRole('columnheader', { name: 'Serial number' }).click();
  await page.getByRole('columnheader', { name: 'Serial number' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText(`${mark}-45`);
  await page.getByRole('listitem', { name: '3', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Door 05' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Door 06' })).toBeHidden();

  await page.getByRole('searchbox', { name: 'Name or serial number' }).fill('door 1');
  await expect(page.getByText('10 total', { exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.locator('.ant-select-dropdown:visible').getByText('Disabled', { exact: true }).click();
  await expect(page.getByText('2 total', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Door 16' })).toBeVisible();
  await expect(page.getByText('2 total', { exact: true })).toBeVisible();
  const query = new URL(page.url()).searchParams;
  expect([query.get('keyword'), query.get('status'), query.get('sort'), query.get('page')]).toEqual([
    'door 1',
    '0',
    '-serial_no',
    null,
  ]);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Version' }).check();
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('columnheader', { name: 'Version' })).toBeVisible();
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('2 total', { exact: true })).toBeHidden();
});

test('devices selected across pages are disabled, moved and deleted, all or none, with exact counts', async ({
  stage,
  admin,
}) => {
  const { group, name, mark } = await createDevices(stage, 22);
  const other = `Other ${mark}`;
  await stage.requestAsAdmin('POST', '/api/admin/device-groups', { name: other });
  const page = await stage.open(admin, `/admin/devices?group_id=${group}`, { mayLogErrors: REFUSED });
  await page.getByRole('checkbox', { name: 'Select Door 03' }).check();
  await page.getByRole('checkbox', { name: 'Select Door 04' }).check();
  await page.getByRole('listitem', { name: '2', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Door 21' }).check();
  await page.getByRole('checkbox', { name: 'Select Door 22' }).check();
  const bar = page.getByRole('region', { name: 'Selected devices' });
  await expect(bar).toContainText('4 selected');

  // Another administrator deletes one of them in the meantime.
  await stage.requestAsAdmin('DELETE', `/api/admin/devices/${await idOf(stage, `${mark}-22`)}`);
  await bar.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(bar.getByRole('alert')).toContainText('Nothing was changed');
  await expect(bar.getByRole('alert')).toContainText('Door 22');
  expect((await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${mark}-03`)).items[0].status).toBe(
    1,
  );
  await bar.getByRole('button', { name: 'Continue without these 1' }).click();
  await expect(bar).toContainText('3 selected');
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);

  await bar.getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 3 devices to another group' });
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(dialog.getByText('Select a group.')).toBeVisible();
  await pick(dialog.getByRole('combobox', { name: 'To group' }), other, other);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Move' }).dblclick();
  await expectToast(page, `3 devices moved to “${other}”`);
  await expect(page.getByText('18 total', { exact: true })).toBeVisible();

  await page.goto(`/admin/devices?keyword=${mark}`);
  await expect(page.getByText('21 total', { exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar.getByRole('button', { name: 'Disable' }).click();
  const disabling = await holdResponses(page, 'PUT', '**/api/admin/devices/bulk');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await disabling.isHeld;
  // A device that is selected during the request stays selected.
  await page.getByRole('listitem', { name: '2', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Door 21' }).check();
  disabling.release();
  await expectToast(page, '15 of 20 devices disabled. The others were already disabled.');
  await expect(bar).toContainText('1 selected');
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('listitem', { name: '1', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Door 03' }).check();
  await page.getByRole('checkbox', { name: 'Select Door 01' }).check();
  await bar.getByRole('button', { name: 'Remove from group…' }).click();
  await pick(page.getByRole('combobox', { name: 'From group' }), name, name);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast(page, `2 devices removed from “${name}”`);
  await page.getByRole('checkbox', { name: 'Select Door 01' }).check();
  await page.getByRole('checkbox', { name: 'Select Door 02' }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toContainText('Door 01, Door 02.');
  await page.getByRole('button', { name: 'Delete 2 devices' }).click();
  await expectToast(page, '2 devices deleted');
  await expect(page.getByText('19 total', { exact: true })).toBeVisible();
});

test(
  'a device is created once, edited and bound by keyboard; errors are shown at the field',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const { mark } = await createDevices(stage, 1);
    const owner = await stage.person();
    await stage.requestAsAdmin('PUT', `/api/admin/devices/${await idOf(stage, `${mark}-01`)}`, {
      user_id: owner.id,
    });
    const page = await stage.open(admin, `/admin/devices?keyword=${mark}`, { mayLogErrors: REFUSED });
    await page.getByRole('button', { name: 'New device' }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'New device' });
    await form.getByRole('button', { name: 'Create' }).click();
    await expect(form.getByText('Enter a name.')).toBeVisible();
    await form.getByRole('textbox', { name: 'Name' }).fill(`Gate ${mark}`);
    await form.getByRole('textbox', { name: 'Serial number' }).fill(`${mark}-01`);
    await page.keyboard.press('Enter');
    await expect(form.getByText('Another device has this serial number')).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'Serial number' })).toBeFocused();
    await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(`Gate ${mark}`);
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
    await form.getByRole('textbox', { name: 'Serial number' }).fill(`${mark}-02`);
    await form.getByRole('button', { name: 'Create' }).dblclick();

    const drawer = page.getByRole('dialog', { name: `Gate ${mark}` });
    await expect(drawer.getByText('Never seen')).toBeVisible();
    await expect(page.getByText('2 total', { exact: true })).toBeVisible();
    await pick(drawer.getByRole('combobox', { name: 'User' }), owner.account, owner.name);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(drawer.getByText('Another device is bound to this user')).toBeVisible();
    const free = await stage.person();
    await pick(drawer.getByRole('combobox', { name: 'User' }), free.account, free.name);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Saved');
    await expect(drawer.getByRole('link', { name: free.name }).first()).toBeVisible();

    // The device's user sends a heartbeat, and the drawer is updated automatically.
    await stage.request(free.id, 'POST', '/api/devices/heartbeat', { version: '2.4.1', battery: 17 });
    await expect(drawer.getByText('17 %, low')).toBeVisible();
    await expect(drawer.getByText('2.4.1')).toBeVisible();
    await pick(drawer.getByRole('combobox', { name: 'Add to a group' }), mark, `Building ${mark}`);
    await drawer.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(drawer.getByRole('list', { name: 'Groups' })).toContainText(`Building ${mark}`);
    await drawer.getByRole('button', { name: `Remove from Building ${mark}` }).press('Enter');
    await expect(drawer.getByRole('heading', { name: 'Groups' })).toBeFocused();
    // A picker that is still closing above the drawer handles the key first.
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return drawer.isVisible();
      })
      .toBe(false);

    const link = page.getByRole('link', { name: `Gate ${mark}` });
    await link.press('Enter');
    await expect(drawer).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(link).toBeFocused();
    await link.press('Enter');
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('1 total', { exact: true })).toBeVisible();
  },
);

test('the export contains the filtered list', async ({ stage, admin }) => {
  const { group, mark, name } = await createDevices(stage, 25);
  const page = await stage.open(admin, `/admin/devices?group_id=${group}&status=0&sort=-id`);
  await expect(page.getByText('6 total', { exact: true })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('devices.csv');
  const text = await readFile(await download.path(), 'utf8');
  const [head, ...lines] = text.split('\r\n');
  expect(head).toBe(
    '\uFEFFid,name,serial_no,status,created_at,user_id,online,last_seen_at,version,battery,groups,group_ids,group_path',
  );
  expect(lines.map((line) => line.split(',').slice(1, 4).join())).toEqual([
    `Door 04,${mark}-04,0`,
    `Door 08,${mark}-08,0`,
    `Door 12,${mark}-12,0`,
    `Door 16,${mark}-16,0`,
    `Door 20,${mark}-20,0`,
    `Door 24,${mark}-24,0`,
    '',
  ]);
  expect(lines[0]).toMatch(new RegExp(`,${group},${name}$`));
});

test('on a phone, in Chinese, in the dark theme, nothing is cut off or covered', async ({ stage, admin }) => {
  const { group, mark } = await createDevices(stage, 3);
  const device = await idOf(stage, `${mark}-01`);
  const options = {
    locale: 'zh-CN',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
    reducedMotion: 'reduce',
  } as const;
  const page = await stage.open(admin, `/admin/devices?group_id=${group}`, {
    options,
    mayLogErrors: REFUSED,
  });
  await page.getByRole('checkbox', { name: '选择 Door 01' }).check();
  await page.getByRole('checkbox', { name: '选择 Door 02' }).check();
  await expect(page.getByText('已选 2 项')).toBeVisible();
  await expect(page.getByText('共 3 条')).toBeVisible();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBe(0);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await page.goto(`/admin/devices?device=${device}`);
  await expect(page.getByRole('dialog', { name: 'Door 01' }).getByText('从未上线')).toBeVisible();
  expect(await overflow()).toBe(0);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await page.goto('/admin/devices?device=999999999');
  await expect(page.getByRole('alert')).toContainText('设备不存在');
});
