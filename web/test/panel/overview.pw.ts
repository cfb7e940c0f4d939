import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';

test('current numbers are live and link to their screens', { tag: '@smoke' }, async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin');
  const now = page.getByRole('region', { name: 'Now' });
  await expect(now.getByRole('listitem').filter({ hasText: 'Devices online' })).toContainText(/\d+ of \d+/);
  await expect(page.getByText('All components and jobs are healthy.')).toBeVisible();
  const files = page.getByRole('region', { name: 'Uploaded files' }).getByRole('listitem');
  await expect(files.filter({ hasText: 'Stored' })).toHaveText(/^Stored\s*[\d.]+ [kMG]B Files: \d+$/);
  await expect(files).toHaveCount(11);
  const ringing = now.getByRole('listitem').filter({ hasText: 'Calls ringing' });
  /** Waits until the page shows the number of the service, which also changes while other calls end. */
  const expectCurrent = async (): Promise<void> =>
    expect
      .poll(async () => {
        const { now: figures } = await stage.requestAsAdmin('GET', '/api/admin/stats/overview');
        return (await ringing.locator('strong').textContent()) === String(figures.calls_ringing);
      })
      .toBe(true);
  await expectCurrent();
  const caller = await stage.person();
  const callee = await stage.person();
  const body = { callee_id: callee.id, media_type: 'audio', terminal_id: 'desk' };
  const { call_id: id } = await stage.request(caller.id, 'POST', '/api/calls', body);
  await expectCurrent();
  await ringing.getByRole('link').click();
  await expect(page.getByRole('row', { name: `Call ${id}` })).toBeVisible();

  // The signed-in administrator is online too.
  await page.goBack();
  const online = now.getByRole('listitem').filter({ hasText: 'Users online' });
  await expect(online.locator('strong')).not.toHaveText('0');
  await online.getByRole('link').click();
  await expect(page.getByRole('link', { name: admin.name })).toBeVisible();
});

test('calls by outcome, messages and users are shown as charts and tables for the selected period', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/overview', { options: { colorScheme: 'dark' } });
  const calls = page.getByRole('figure', { name: 'Calls by outcome, last 30 days' });
  // In the demo data, seven of fifteen calls were answered.
  await expect(calls.getByRole('listitem').filter({ hasText: 'Answered' })).toContainText(/[1-9]\d*/);
  await expect(calls.getByRole('img')).toBeVisible();
  await expect(calls.locator('.bar')).toHaveCount(30);
  for (const name of ['Messages', 'Active users', 'New users'])
    await expect(page.getByRole('figure', { name: `${name}, last 30 days` }).locator('.bar')).toHaveCount(30);
  expect(await findAccessibilityViolations(page)).toEqual([]);

  // The legend shows the day under the pointer.
  const frame = calls.locator('.chart-frame');
  const { width = 0 } = (await frame.boundingBox()) ?? {};
  await frame.hover({ position: { x: width - 2, y: 100 } });
  await expect(calls.locator('.legend-span')).toHaveText(/^\d{4}-\d\d-\d\d$/);

  await page.getByText('1 year', { exact: true }).click();
  const weekly = page.getByRole('figure', { name: 'Calls by outcome, last 365 days, by week' });
  await expect(weekly.locator('.bar')).toHaveCount(53);
  await expect(page.getByText('Daily messages and users are kept for 30 days.')).toBeVisible();
  await page.getByText('7 days', { exact: true }).click();
  await page.getByText('Tables', { exact: true }).click();
  await page.getByText('Video', { exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/overview\?days=7&show=table&media=video$/);
  await page.reload();
  const table = page.getByRole('figure', { name: 'Calls by outcome, last 7 days' }).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(8);
  await expect(table.getByRole('columnheader')).toHaveText([
    'Day',
    'Answered',
    'Declined',
    'Cancelled',
    'No answer',
    'Busy',
    'Total',
  ]);
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('the numbers of a year and of an empty week add up, in Chinese', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin', { options: { locale: 'zh-CN' } });
  const lengths = { to_10s: 0, to_1m: 0, to_5m: 0, to_30m: 0, more: 0 };
  const none = { missed: 0, ring_seconds: 0, talk_seconds: 0, lengths };
  const figures = { created: 15, answered: 1, rejected: 2, cancelled: 3, no_answer: 4, busy: 5, ...none };
  await page.route('**/api/admin/stats/calls?*', (route) => {
    const day = (number: number) => ({ day: `2026-01-0${number}`, answer_rate: 0.0667, ...figures });
    const data = { days: [day(1), day(2)], total: { ...figures, created: 30, answer_rate: 0.0667 } };
    return route.fulfill({ json: { code: 0, message: '操作成功', data } });
  });
  await page.goto('/admin/overview?days=7');
  const calls = page.getByRole('figure', { name: '近 7 天通话结果' });
  await expect(calls.getByRole('listitem')).toHaveText([
    '已接通 2',
    '拒接 4',
    '取消 6',
    '无人接听 8',
    '对方忙线 10',
  ]);
  await expect(calls.getByText('接通率 7%')).toBeVisible();
  await expect(calls.locator('.legend-span')).toHaveText('2026-01-01 – 2026-01-02');
  expect(await findAccessibilityViolations(page)).toEqual([]);
});
