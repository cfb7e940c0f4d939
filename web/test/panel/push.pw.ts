import { findAccessibilityViolations } from '../support/accessibility';
import { expect } from '../support/journey';
import { test } from '../support/push-journey';

test('the push targets of a user are listed, tested with the answer of the provider, and deleted', async ({
  stage,
  admin,
  providers,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  const register = (target: object) => stage.request(alice.id, 'POST', '/api/push/targets', target);
  await register({ kind: 'fcm', terminal_id: 'phone-1', token: `token-${alice.id}`, app: 'com.example' });
  await register({ kind: 'webpush', terminal_id: 'browser-1', ...providers.subscribe(alice.account) });
  providers.replies.webPush = () => ({ status: 403 });

  const page = await stage.open(admin, `/admin/users?user=${alice.id}&tab=push`);
  const list = page.getByRole('list', { name: 'Push targets of Alice' });
  const phone = list.getByRole('listitem').filter({ hasText: 'phone-1' });
  await expect(phone).toContainText('Google (FCM)');
  await expect(phone).toContainText('com.example');
  await expect(phone).toContainText('Active');
  await page.getByRole('button', { name: 'Send test push to phone-1' }).click();
  await expect(phone.getByText('The provider accepted the push.')).toBeVisible();
  const browser = list.getByRole('listitem').filter({ hasText: 'browser-1' });
  await page.getByRole('button', { name: 'Send test push to browser-1' }).click();
  await expect(browser.getByText('The provider refused the push: status 403')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Delete push target browser-1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(browser).toBeHidden();
  await expect(phone).toBeVisible();

  await page.goto(`/admin/audit?actor_type=user&actor_id=${admin.id}&object_type=push_target`);
  const entries = page.getByRole('row');
  await expect(entries.filter({ hasText: 'Test push sent' })).toHaveCount(2);
  await expect(entries.filter({ hasText: 'Push target deleted' })).toContainText(
    /Kind.*webpush.*Terminal.*browser-1/,
  );
  providers.replies.webPush = () => ({ status: 201 });
});

test('the push queue and the targets by provider are shown, on a phone too', async ({ stage, admin }) => {
  const alice = await stage.person();
  await stage.request(alice.id, 'POST', '/api/push/targets', {
    kind: 'gateway',
    terminal_id: 'phone-1',
    token: `token-${alice.id}`,
    provider: 'huawei',
  });
  const page = await stage.open(admin, '/admin/health');
  const push = page.getByRole('region', { name: 'Push', exact: true });
  await expect(push.getByRole('row', { name: 'Pushes that are due' })).toContainText(/\d+$/);
  await expect(push.getByRole('row', { name: 'Age of the oldest' })).toContainText(/\d+ s$/);
  await expect(push.getByRole('row', { name: 'Gateway' })).toContainText(/Configured[1-9]\d*00$/);
  const components = page.getByRole('region', { name: 'Components' });
  const queue = components.getByRole('row').filter({ has: page.getByText('push', { exact: true }) });
  await expect(queue).toContainText('Up');
  expect(await findAccessibilityViolations(page)).toEqual([]);

  const small = await stage.open(admin, '/admin/health', {
    options: { locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  });
  await expect(small.getByText('待发送的推送')).toBeVisible();
  await expect(small.getByText('网关', { exact: true })).toBeVisible();
  expect(await findAccessibilityViolations(small)).toEqual([]);
});
