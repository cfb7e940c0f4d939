import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';

const IMPORT = '**/api/admin/devices/import*';

const mark = (): string => `I${randomBytes(4).toString('hex')}`;
const choose = (page: Page, name: string, content: string | Buffer) =>
  page
    .getByLabel(/Choose a CSV file|选择 CSV 文件/)
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

test('a file is previewed, checked and imported; lines with errors are listed and saved as CSV', async ({
  stage,
  admin,
}) => {
  const id = mark();
  await stage.requestAsAdmin('POST', '/api/admin/devices', { name: 'Old', serial_no: `${id}-1` });
  const file = [
    'serial_no,name,status,group_ids',
    `${id}-1,New name,,`,
    `${id}-2,"Two, of ""many""",1,`,
    '',
    `${id}-3,,,`,
    `=${id},Formula,yes,`,
    `${id}-4,Four,1,999999999`,
    `${id}-2,Again,,`,
    `${id}-5,Five,1,,more`,
  ].join('\r\n');
  const page = await stage.open(admin, `/admin/devices?keyword=${id}`);
  await page.getByRole('button', { name: 'Import' }).click();
  // Drops a file, as from a file manager.
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'devices.csv', { type: 'text/csv' }));
    return transfer;
  }, file);
  await page.locator('.file-drop').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByText('7 lines, UTF-8')).toBeVisible();
  const preview = page.getByRole('region', { name: 'File contents' });
  await expect(preview.getByRole('row', { name: `3 New ${id}-2 Two, of "many" 1` })).toBeVisible();
  const wrong = preview.getByRole('row', { name: `8 Same serial number as line 3 ${id}-2 Again` });
  await expect(wrong).toHaveClass(/wrong/);
  const plan = page.getByRole('region', { name: 'Import preview' });
  await expect(plan.getByRole('alert')).toContainText('1 to create');
  await expect(plan.getByRole('alert')).toContainText('1 to update');
  await expect(plan.getByRole('alert')).toContainText('5 with errors');
  await expect(plan.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Import 2 lines' })).toBeInViewport({ ratio: 1 });
  await preview.getByRole('checkbox', { name: 'Only lines with errors (5)' }).check();
  await expect(preview.getByRole('row')).toHaveCount(6);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  // Nothing is written yet.
  expect((await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${id}`)).items).toMatchObject([
    { name: 'Old' },
  ]);

  let sent = 0;
  await page.route(IMPORT, (route) => {
    sent += 1;
    return route.continue();
  });
  await page.getByRole('button', { name: 'Import 2 lines' }).dblclick();
  const result = page.getByRole('region', { name: 'Import complete' });
  await expect(result.getByRole('alert')).toContainText('1 created');
  expect(sent).toBe(1);
  await expect(result.getByRole('row').nth(1)).toHaveText(`5${id}-3A new device needs a name`);
  await expect(result.getByRole('row').nth(5)).toHaveText(`9${id}-5More cells than header columns`);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    result.getByRole('button', { name: 'Download errors as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('devices-errors.csv');
  expect(await readFile(await download.path(), 'utf8')).toBe(
    [
      '\uFEFF"line","serial_no","Problem"',
      `"5","${id}-3","A new device needs a name"`,
      `"6","'=${id}","status must be 0 or 1"`,
      `"7","${id}-4","Unknown groups: 999999999"`,
      `"8","${id}-2","Same serial number as line 3"`,
      `"9","${id}-5","More cells than header columns"`,
      '',
    ].join('\r\n'),
  );
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('link', { name: 'Two, of "many"' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'New name' })).toBeVisible();
});

test(
  'an exported file is imported without a change, then with some; a template names the columns',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const id = mark();
    const groupOf = async (name: string, parent_id: number | null = null): Promise<number> =>
      (await stage.requestAsAdmin('POST', '/api/admin/device-groups', { name, parent_id })).id;
    const site = await groupOf(`Site ${id}`);
    await groupOf('North/South', site);
    await stage.requestAsAdmin('POST', '/api/admin/devices/bulk', {
      devices: [{ serial_no: `${id}-1`, name: '=Door', group_ids: [site] }],
    });
    const page = await stage.open(admin, `/admin/devices?keyword=${id}`);
    const saved = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const { text } = await saved('Export');
    await page.getByRole('button', { name: 'Import' }).click();
    expect(await saved('Download template')).toEqual({
      name: 'devices-template.csv',
      text: '\uFEFFserial_no,name,status,group_path\r\n',
    });
    await choose(page, 'devices.csv', text);
    const plan = page.getByRole('region', { name: 'Import preview' });
    await expect(plan).toContainText('Nothing to import: everything is up to date');
    await expect(plan).toContainText('1 unchanged');
    const preview = page.getByRole('region', { name: 'File contents' });
    await expect(preview.getByRole('cell', { name: '=Door', exact: true })).toBeVisible();
    await expect(preview).toContainText('Not imported: id, created_at, online');
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);

    await choose(
      page,
      'devices.csv',
      text.replace(`${site},Site ${id}`, String.raw`,Site ${id}/North\/South`).replace('=Door', '=Gate'),
    );
    await page.getByRole('button', { name: 'Import 1 line' }).click();
    await expect(page.getByRole('region', { name: 'Import complete' })).toContainText('1 updated');
    expect((await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${id}`)).items).toMatchObject([
      { name: '=Gate', groups: [{ name: 'North/South', path: [{ id: site }] }] },
    ]);
  },
);

test('a file in GB18030 is imported into a group in addition to its own groups, and no device leaves one', async ({
  stage,
  admin,
}) => {
  const id = mark();
  const groupOf = async (name: string): Promise<number> =>
    (await stage.requestAsAdmin('POST', '/api/admin/device-groups', { name: `${name} ${id}` })).id;
  const [target, named, before] = [await groupOf('Target'), await groupOf('Named'), await groupOf('Before')];
  const known = await stage.requestAsAdmin('POST', '/api/admin/devices', {
    name: 'Old',
    serial_no: `${id}-1`,
  });
  await stage.requestAsAdmin('POST', `/api/admin/device-groups/${before}/devices`, {
    device_ids: [known.id],
  });
  // 门口机, as saved by a Chinese edition of Excel.
  const gb = Buffer.from([0xc3, 0xc5, 0xbf, 0xda, 0xbb, 0xfa]);
  const file = Buffer.concat([
    Buffer.from(`serial_no,name,group_ids\r\n${id}-1,`),
    gb,
    Buffer.from(`,\r\n${id}-2,`),
    gb,
    Buffer.from(`,${named}\r\n${id}-3,`),
    gb,
    Buffer.from(',\r\n'),
  ]);
  const options = { locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
  const page = await stage.open(admin, '/admin/devices?import=1', { options });
  await choose(page, '设备.csv', file);
  await expect(page.getByText('共 3 行，编码识别为 GB18030')).toBeVisible();
  await expect(
    page.getByRole('region', { name: '文件内容' }).getByText('门口机', { exact: true }),
  ).toHaveCount(3);
  await page.getByRole('combobox', { name: '全部加入分组' }).fill(`Target ${id}`);
  await page.locator('.ant-select-dropdown:visible').getByText(`Target ${id}`).click();
  const start = page.getByRole('button', { name: '导入 3 行' });
  await expect(start).toBeEnabled();
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await start.press('Enter');
  const result = page.getByRole('region', { name: '文件已导入' });
  await expect(result).toContainText('2 台已创建');
  await expect(result).toContainText('1 台已更新');
  const { items } = await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${id}`);
  expect(
    items.map(({ name, groups }: { name: string; groups: { id: number }[] }) => [
      name,
      groups.map((group) => group.id).toSorted((a, b) => a - b),
    ]),
  ).toEqual([
    ['门口机', [target, before]],
    ['门口机', [target, named]],
    ['门口机', [target]],
  ]);
});

test('a file that cannot be imported shows an error, and nothing is sent', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/devices?import=1');
  let sent = 0;
  await page.route(IMPORT, (route) => {
    sent += 1;
    return route.continue();
  });
  for (const [name, content, problem] of [
    ['large.csv', `serial_no,name\n${'SN,Name\n'.repeat(131_072)}`, 'The file has 1,048,591 bytes'],
    ['book.xlsx', Buffer.from('PK\u0003\u0004rest'), 'This is an Excel workbook.'],
    [
      'door.png',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xff]),
      'The file isn’t UTF-8 or GB18030 text.',
    ],
    ['empty.csv', '', 'The file is empty.'],
    ['list.csv', 'name,status\nDoor,1', 'The first line must name the columns, including serial_no.'],
    ['other.csv', 'serial_no,colour\nSN,red', 'Unknown columns: colour.'],
    ['twice.csv', 'serial_no,name,name\nSN,a,b', 'Duplicate columns: name.'],
    ['quotes.csv', 'serial_no,name\nSN-1,"Door\n', 'Invalid quotes in line 2.'],
    ['head.csv', 'serial_no,name\n', 'The file has no lines below the header.'],
  ] as const) {
    await choose(page, name, content);
    await expect(page.getByRole('alert')).toContainText(`Can’t import ${name}`);
    await expect(page.getByRole('alert')).toContainText(problem);
  }
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  expect(sent).toBe(0);
});

test('a file that cannot be read shows an error, and the previous file is not imported', async ({
  stage,
  admin,
}) => {
  const id = mark();
  const page = await stage.open(admin, '/admin/devices?import=1');
  await choose(page, 'devices.csv', `serial_no,name\n${id},Door`);
  const start = page.getByRole('button', { name: 'Import 1 line' });
  await expect(start).toBeEnabled();
  // A file that was changed or deleted after its selection, or that the user may not read.
  await page.evaluate(() => {
    File.prototype.arrayBuffer = () => Promise.reject(new DOMException('Not readable', 'NotReadableError'));
  });
  await choose(page, 'locked.csv', 'serial_no,name\n');
  await expect(page.getByRole('alert')).toContainText('Can’t import locked.csv');
  await expect(page.getByRole('alert')).toContainText('The file can’t be read.');
  await expect(start).toBeHidden();
});

test('after a lost connection the import warns of a partial result, and a retry creates nothing twice', async ({
  stage,
  admin,
}) => {
  const id = mark();
  const page = await stage.open(admin, '/admin/devices?import=1', {
    mayLogErrors: /Failed to load resource/,
  });
  await choose(page, 'devices.csv', `serial_no,name\n${id}-1,One\n${id}-2,Two\n`);
  const start = page.getByRole('button', { name: 'Import 2 lines' });
  await expect(start).toBeEnabled();
  // The service executes the requests, but the responses are lost.
  await page.route(IMPORT, async (route) => {
    if (route.request().url().includes('dry_run')) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await start.click();
  await expect(page.getByText('Part of the file may have been imported.', { exact: false })).toBeVisible();
  expect((await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${id}`)).pagination.total).toBe(2);
  await expect(page.getByRole('region', { name: 'Import preview' })).toContainText('2 unchanged');
  expect((await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${id}`)).pagination.total).toBe(2);
});

test('the drawer of an import can be closed before the list is loaded again', async ({ stage, admin }) => {
  const id = mark();
  const page = await stage.open(admin, `/admin/devices?keyword=${id}&import=1`);
  await choose(page, 'devices.csv', `serial_no,name\n${id},Door`);
  const start = page.getByRole('button', { name: 'Import 1 line' });
  await expect(start).toBeEnabled();
  const { isHeld, release } = await holdResponses(page, 'GET', /\/api\/admin\/devices\?/);
  await start.click();
  await isHeld;
  const report = page.getByRole('region', { name: 'Import complete' });
  await expect(report).toBeVisible();
  await page.locator('.ant-drawer-close').click();
  await expect(report).toBeHidden();
  release();
  await expect(page.getByRole('link', { name: 'Door' })).toBeVisible();
});
