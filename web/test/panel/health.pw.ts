import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';

test('components and jobs are shown by name, and the configuration without secrets', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/health');
  const parts = page.getByRole('region', { name: 'Components' });
  await expect(parts.getByRole('row', { name: 'Database' })).toContainText('Up');
  await expect(parts.getByRole('row', { name: 'Redis' })).toContainText('Off');
  const jobs = page.getByRole('region', { name: 'Jobs on this instance' });
  await expect(jobs.getByRole('row', { name: 'Ends calls that time out' })).toContainText('Up');

  await page.getByText('Configuration', { exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/health\?tab=config$/);
  await expect(page.getByRole('row', { name: 'DEMO_DATA' })).toContainText('on');
  await expect(page.getByRole('row', { name: 'JWT_SECRET set (secret)', exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: 'REDIS_URL not set', exact: true })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('unhealthy components come first with their error, unknown ones with their own name', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin', { options: { locale: 'zh-CN', colorScheme: 'dark' } });
  await page.route('**/api/admin/health', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { items: object[] } };
    const failed = { status: 'down', last_success_at: null, last_error: 'disk full' };
    for (const name of ['webhook_sweep', 'brand_new'])
      body.data.items.push({ name, ...failed, last_error_at: '2026-01-31T08:00:00.000Z' });
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/admin/health');
  await expect(page.getByText('异常：发送到期的 Webhook 投递 · brand_new')).toBeVisible();
  await expect(page.getByRole('row', { name: 'brand_new' })).toContainText('2026-01-31 16:00 · disk full');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: '概览' }).click();
  await expect(page.getByText('异常：发送到期的 Webhook 投递 · brand_new')).toBeVisible();
});

test('a configuration that fails to load shows an error and is retried', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/health', { mayLogErrors: /500/ });
  await page.route('**/api/admin/config', (route) =>
    route.fulfill({ status: 500, json: { code: 500, message: '服务器内部错误', data: null } }),
  );
  await page.getByText('Configuration', { exact: true }).click();
  const problem = page.getByRole('main').getByRole('alert');
  await expect(problem).toBeVisible();
  await page.unroute('**/api/admin/config');
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row', { name: 'NODE_ENV' })).toContainText('test');
  await expect(problem).toBeHidden();
});
