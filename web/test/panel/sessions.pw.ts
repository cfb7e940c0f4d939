import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { PASSWORD, type Person, type Stage } from '../support/stage';

/** Logs in with a user agent and returns the refresh token. */
async function logIn(stage: Stage, { account }: Person, userAgent: string): Promise<string> {
  const answer = await fetch(`${stage.service.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ account, password: PASSWORD }),
  });
  const { data } = (await answer.json()) as { data: { refresh_token: string } };
  return data.refresh_token;
}

/** Refreshes a session and returns the code of the response. */
async function refresh(stage: Stage, refresh_token: string): Promise<number> {
  const answer = await fetch(`${stage.service.url}/api/auth/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  });
  return ((await answer.json()) as { code: number }).code;
}

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0';
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36';

const question = (page: Page) => page.getByRole('dialog').filter({ hasText: 'within 10 seconds' });

test('a user is found by search, and one or all of their sessions are ended', async ({ stage, admin }) => {
  const li = await stage.person({ name: '李雷' });
  const tokens = {
    desk: await logIn(stage, li, WINDOWS),
    phone: await logIn(stage, li, PHONE),
    script: await logIn(stage, li, 'curl/8.9.1'),
  };
  const page = await stage.open(admin, '/admin/sessions');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/admin/users?')) asked.push(new URL(request.url()).search);
  });
  await page.getByRole('combobox', { name: 'User' }).fill(li.account);
  await page.getByRole('option', { name: `李雷 (${li.account})` }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`user=${li.id}$`));
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: '李雷' }) });
  await expect(rows).toHaveCount(3);
  // Only search results are requested, and only one page of them.
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every((search) => search.includes('per_page=20') && search.includes('page=1'))).toBe(true);
  await expect(rows.filter({ hasText: 'Edge on Windows' })).toContainText('127.0.0.1');
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await rows.getByRole('button', { name: 'End session Chrome on Android' }).click();
  await question(page).getByRole('button', { name: 'End', exact: true }).click();
  await expect(rows).toHaveCount(2);
  expect(await refresh(stage, tokens.phone)).toBe(401);
  expect(await refresh(stage, tokens.desk)).toBe(0);

  await page.getByRole('button', { name: 'End all', exact: true }).click();
  await question(page).getByRole('button', { name: 'End all' }).click();
  await expect(page.getByText('No active sessions')).toBeVisible();
  expect(await refresh(stage, tokens.script)).toBe(401);
  const { items } = await stage.requestAsAdmin('GET', '/api/admin/audit?action=session.delete&limit=2');
  expect(items).toMatchObject([
    { actor_name: admin.name, after: { user_id: li.id, ended: 2 } },
    { actor_name: admin.name, before: { user_id: li.id } },
  ]);
});

test('all sessions are in one list, most recently used first, as cards on a phone', async ({
  stage,
  admin,
}) => {
  const li = await stage.person({ name: '李雷' });
  const han = await stage.person({ name: '韩梅梅' });
  await logIn(stage, li, WINDOWS);
  await logIn(stage, han, PHONE);
  const page = await stage.open(admin, '/admin/sessions');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('李雷').first()).toContainText('Edge on Windows');
  await expect(row('韩梅梅').first()).toContainText('Chrome on Android');
  await expect(row(admin.name)).toContainText('This session');
  expect(await findAccessibilityViolations(page)).toEqual([]);

  const phone = await stage.open(admin, `/admin/sessions?user=${han.id}`, {
    options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN' },
  });
  await expect(phone.getByRole('listitem').filter({ hasText: '韩梅梅' })).toContainText(
    'Android 上的 Chrome',
  );
  await expect.poll(() => phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await findAccessibilityViolations(phone)).toEqual([]);
});

test('a session that was ended elsewhere shows a message', async ({ stage, admin }) => {
  const li = await stage.person();
  await logIn(stage, li, 'curl/8.9.1');
  const page = await stage.open(admin, `/admin/sessions?user=${li.id}`, { mayLogErrors: /status of 404/ });
  const end = page.getByRole('button', { name: 'End session curl' });
  await expect(end).toBeVisible();
  await stage.requestAsAdmin('DELETE', `/api/admin/users/${li.id}/sessions`);
  await end.click();
  await question(page).getByRole('button', { name: 'End', exact: true }).click();
  await expect(page.getByText('The session has already ended. The list is now up to date.')).toBeVisible();
  await expect(page.getByText('No active sessions')).toBeVisible();
});

test('own sessions: the others end and the current one stays, in the dark theme, on a phone, in Chinese', async ({
  stage,
  admin,
}) => {
  const other = await logIn(stage, admin, PHONE);
  const page = await stage.open(admin, '/admin/account', {
    options: { colorScheme: 'dark', locale: 'zh-CN', viewport: { width: 360, height: 740 } },
  });
  const own = page.getByRole('list', { name: '您的登录会话' });
  await expect(own.getByRole('listitem').filter({ hasText: 'Android 上的 Chrome' })).toBeVisible();
  await expect(own.getByRole('listitem').filter({ hasText: '当前会话' })).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: '结束其他会话' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '结束其他会话' }).click();
  await expect(own.getByRole('listitem')).toHaveCount(1);
  expect(await refresh(stage, other)).toBe(401);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: '您的账号' })).toBeVisible();
});
