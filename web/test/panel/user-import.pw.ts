import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';

const UPSERT = '**/api/admin/users/bulk*';

const mark = (): string => `u${randomBytes(4).toString('hex')}`;
const choose = (page: Page, content: string, name = 'users.csv') =>
  page
    .getByLabel(/Choose a CSV file|选择 CSV 文件/)
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
const usersOf = async (stage: Stage, id: string) =>
  (await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${id}&sort=id`)).items;

test('users are previewed, checked and imported from a file; errors are listed by line and saved as CSV', async ({
  stage,
  admin,
}) => {
  const id = mark();
  await stage.requestAsAdmin('POST', '/api/admin/users/bulk', {
    users: [{ external_id: `${id}-1`, account: `${id}.one`, name: 'Old' }],
  });
  const page = await stage.open(admin, `/admin/users?keyword=${id}`);
  await page.getByRole('button', { name: 'Import' }).click();
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download template' }).click(),
  ]);
  expect(template.suggestedFilename()).toBe('users-template.csv');
  expect(await readFile(await template.path(), 'utf8')).toBe(
    '\uFEFFexternal_id,account,name,avatar,status\r\n',
  );

  await choose(page, 'external_id,name,password\nx,X,secret\n');
  await expect(page.getByRole('alert')).toContainText('Files hold no passwords.');
  await choose(
    page,
    [
      'external_id,account,name,status,role',
      `${id}-1,,New name,,admin`,
      `${id}-2,${id}.two,Two,1,`,
      `${id}-3,${id}.one,Three,,`,
      `${id}-4,,,,`,
      `${id}-2,,Again,,`,
      `${id}-5,,Five,yes,`,
      `${id}-6,,Six,,,more`,
      ',,Nobody,,',
      `${id}-7,${id.toUpperCase()}.TWO,Seven,,`,
    ].join('\r\n'),
  );
  const plan = page.getByRole('region', { name: 'Import preview' });
  await expect(plan.getByRole('alert')).toContainText('1 to create');
  await expect(plan.getByRole('alert')).toContainText('1 to update');
  await expect(plan.getByRole('alert')).toContainText('7 with errors');
  await expect(page.getByRole('region', { name: 'File contents' })).toContainText('Not imported: role');
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  expect(await usersOf(stage, id)).toMatchObject([{ name: 'Old' }]);

  await page.getByRole('button', { name: 'Import 2 lines' }).dblclick();
  const result = page.getByRole('region', { name: 'Import complete' });
  await expect(result.getByRole('alert')).toContainText('1 created');
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  const [errors] = await Promise.all([
    page.waitForEvent('download'),
    result.getByRole('button', { name: 'Download errors as CSV' }).click(),
  ]);
  expect(errors.suggestedFilename()).toBe('users-errors.csv');
  expect((await readFile(await errors.path(), 'utf8')).split('\r\n')).toEqual([
    '\uFEFF"line","external_id","Problem"',
    `"4","${id}-3","Another user has this account"`,
    `"5","${id}-4","A new user needs a name"`,
    `"6","${id}-2","Same external ID as line 3"`,
    `"7","${id}-5","status must be 0 or 1"`,
    `"8","${id}-6","More cells than header columns"`,
    '"9","","External ID is missing"',
    `"10","${id}-7","Same account as line 3"`,
    '',
  ]);
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('link', { name: 'Two', exact: true })).toBeVisible();
  expect(await usersOf(stage, id)).toMatchObject([
    { name: 'New name', account: `${id}.one`, role: 'user' },
    { name: 'Two', account: `${id}.two`, status: 1 },
  ]);
});

test('an import of more than 500 users that stops between two requests is continued, on a phone in Chinese', async ({
  stage,
  admin,
}) => {
  const id = mark();
  const lines = Array.from({ length: 501 }, (_, index) => `${id}-${index + 1},用户 ${id} ${index + 1}`);
  const page = await stage.open(admin, '/admin/users?import=1', {
    options: { locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    mayLogErrors: /Failed to load resource/,
  });
  await choose(page, ['external_id,name', ...lines].join('\n'));
  const start = page.getByRole('button', { name: '导入 501 行' });
  await expect(start).toBeEnabled();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  // The second request of the import does not reach the service, and neither do its repetitions.
  let sent = 0;
  let isCut = true;
  await page.route(UPSERT, (route) => {
    if (route.request().url().includes('dry_run')) return route.continue();
    sent += 1;
    return isCut && sent > 1 ? route.abort() : route.continue();
  });
  await start.press('Enter');
  await expect(page.getByText('文件可能已部分导入。', { exact: false })).toBeVisible();
  const plan = page.getByRole('region', { name: '导入预检结果' });
  await expect(plan).toContainText('500 人无变化');
  isCut = false;
  await page.getByRole('button', { name: '导入 1 行' }).press('Enter');
  await expect(page.getByRole('region', { name: '文件已导入' })).toContainText('1 人已创建');
  expect((await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${id}`)).pagination.total).toBe(501);
});
