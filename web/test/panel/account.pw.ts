import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { holdRequest } from '../support/hold-request';
import { PASSWORD } from '../support/stage';
import { expectToast } from '../support/toasts';

test('administrators change their own name and password', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/overview', { mayLogErrors: /status of 422/ });
  await page.getByRole('button', { name: admin.name }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  const avatar = `${stage.service.url}/favicon.svg`;
  await stage.request(admin.id, 'PUT', '/api/auth/me', { avatar });
  await page.getByRole('textbox', { name: 'Name' }).fill('赵刚');
  await page.getByRole('button', { name: 'Save' }).click();
  // Saving the name keeps the picture that was changed elsewhere in the meantime.
  await expect(page.getByRole('textbox', { name: 'Picture' })).toHaveValue(avatar);
  await expect(page.getByRole('button', { name: '赵刚' })).toBeVisible();

  const field = (name: string) => page.getByRole('textbox', { name: new RegExp(`${name}$`) });
  await field('Current password').fill('wrong password');
  await field('New password').fill('callboard-2');
  await field('Confirm new password').fill('callboard-3');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Passwords don’t match.')).toBeVisible();
  await field('Confirm new password').fill('callboard-2');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Current password is incorrect.')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await field('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectToast(page, 'Password changed. Your other sessions were logged out.');
  const answer = await fetch(`${stage.service.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: admin.account, password: 'callboard-2' }),
  });
  expect(((await answer.json()) as { code: number }).code).toBe(0);
});

test('text that is typed while the own profile is being saved is kept', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/account');
  const saving = await holdRequest(page, 'PUT', /\/api\/auth\/me$/);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('赵刚');
  await page.getByRole('button', { name: 'Save' }).click();
  await saving.asked;
  await name.fill('赵刚强');
  saving.release();
  await expectToast(page, 'Saved');
  await expect(name).toHaveValue('赵刚强');
});
