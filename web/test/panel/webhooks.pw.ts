import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test as journey } from '../support/journey';
import { recordRequestsAfterDelete } from '../support/deletion';
import { Receiver } from '../support/receiver';
import { expectToast } from '../support/toasts';

/** A test with its own webhook receiver. */
const test = journey.extend<{ receiver: Receiver }>({
  receiver: async ({ stage }, provide) => {
    const receiver = await Receiver.open();
    await provide(receiver);
    // An endpoint without a receiver would make the service unhealthy in later tests.
    const { items } = await stage.requestAsAdmin('GET', '/api/admin/webhooks');
    for (const { id, url } of items as { id: number; url: string }[])
      if (url.startsWith(receiver.url)) await stage.requestAsAdmin('DELETE', `/api/admin/webhooks/${id}`);
    await receiver.close();
  },
});

const REFUSED = /status of 4\d\d/;

/** Returns the signatures of the last test delivery, and those expected with the given secrets. */
function signatures({ received }: Receiver, ...secrets: string[]): { came: string[]; made: string[] } {
  // A call of an earlier journey may end meanwhile.
  const delivery = received.findLast(({ body }) => body.includes('"webhook.test"'));
  const { headers, body } = delivery ?? { headers: {}, body: '' };
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  };
  return { came: String(headers['webhook-signature']).split(' '), made: secrets.map(sign) };
}

const secretOf = (page: Page): Promise<string> =>
  page.getByRole('textbox', { name: 'Signing secret' }).inputValue();

test(
  'an endpoint is created once, shows its secret once, is tested, changed, rotated and deleted',
  { tag: '@smoke' },
  async ({ stage, admin, receiver }) => {
    const page = await stage.open(admin, '/admin/webhooks', {
      mayLogErrors: REFUSED,
      options: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.getByRole('button', { name: 'New endpoint' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'New endpoint' });
    const create = form.getByRole('button', { name: 'Create' });
    await create.click();
    await expect(form.getByText('Enter a URL.')).toBeVisible();
    await expect(form.getByText('Select at least one event.')).toBeVisible();
    const address = form.getByRole('textbox', { name: 'URL' });
    await address.fill('http://10.0.0.7/hooks');
    await form.getByRole('textbox', { name: 'Description' }).fill('Billing');
    await form.getByRole('checkbox', { name: 'Calls' }).check();
    await form.getByRole('checkbox', { name: 'call.created' }).uncheck();
    await form.getByRole('checkbox', { name: 'user.created' }).press('Space');
    await create.click();
    await expect(form.getByText('This URL isn’t allowed.', { exact: false })).toBeVisible();
    await expect(address).toBeFocused();
    await expect(form.getByRole('textbox', { name: 'Description' })).toHaveValue('Billing');
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
    await address.fill(receiver.url);
    await create.dblclick();

    const dialog = page.getByRole('dialog', { name: 'Signing secret' });
    await expect(dialog).toBeVisible();
    const secret = await secretOf(page);
    expect(secret).toMatch(/^whsec_/);
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expectToast(page, 'Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
    const endpoints = (await stage.requestAsAdmin('GET', '/api/admin/webhooks')).items.filter(
      ({ url }: { url: string }) => url === receiver.url,
    );
    expect(endpoints).toMatchObject([
      { description: 'Billing', event_types: ['call.answered', 'call.ended', 'user.created'], status: 1 },
    ]);

    const drawer = page.getByRole('dialog', { name: 'Endpoint', exact: true });
    await drawer.getByRole('button', { name: 'Send test' }).click();
    await expect(drawer.getByRole('alert')).toContainText('Test delivered');
    await expect(drawer.getByRole('alert')).toContainText('Status 204');
    await expect(drawer.locator('dt:text-is("Last success") + dd')).toHaveText(/\d{1,2}:\d{2}/);
    const first = signatures(receiver, secret);
    expect(first.came).toEqual(first.made);
    await expect(drawer.getByRole('link', { name: 'webhook.test' })).toBeVisible();
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);

    await drawer.getByRole('button', { name: 'Edit' }).click();
    await expect(page).toHaveURL(/webhook=\d+&edit=1$/);
    await page.reload();
    const edit = page.getByRole('dialog', { name: 'Edit endpoint' });
    await edit.getByRole('checkbox', { name: 'All events, including future ones' }).check();
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(drawer.getByText('All', { exact: true })).toBeVisible();

    await drawer.getByRole('button', { name: 'Rotate secret…' }).click();
    await expect(page.getByRole('dialog').last()).toContainText(
      'For 24 hours, deliveries are signed with both',
    );
    await page.getByRole('button', { name: 'Rotate secret', exact: true }).click();
    await expect(dialog).toBeVisible();
    const second = await secretOf(page);
    expect(second).not.toBe(secret);
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
    await expect(dialog).toBeHidden();
    await drawer.getByRole('button', { name: 'Send test' }).click();
    await expect(drawer.getByRole('alert')).toContainText('Status 204');
    const both = signatures(receiver, secret, second);
    expect(both.came.toSorted()).toEqual(both.made.toSorted());

    const requests = await recordRequestsAfterDelete(page, `/api/admin/webhooks/${endpoints[0].id}`);
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await expectToast(page, 'Endpoint deleted');
    await expect(page.getByRole('link', { name: receiver.url })).toBeHidden();
    // Another request for the deleted endpoint would show an error.
    expect(requests).toEqual([]);
  },
);

test('failed deliveries are found, read and resent, one by one and all since a time', async ({
  stage,
  admin,
  receiver,
}) => {
  // Not an event of calls: one of an earlier journey may end meanwhile.
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/webhooks', {
    url: receiver.url,
    event_types: ['user.created'],
  });
  receiver.respond = { status: 500, text: 'the database is away' };
  const page = await stage.open(admin, '/admin/webhooks', { mayLogErrors: REFUSED });
  await page.getByRole('link', { name: receiver.url }).click();
  const drawer = page.getByRole('dialog', { name: 'Endpoint', exact: true });
  await drawer.getByRole('button', { name: 'Send test' }).click();
  await expect(drawer.getByRole('alert')).toContainText('Test failed');
  await expect(drawer.getByRole('alert')).toContainText('Status 500');
  await drawer.getByRole('combobox', { name: 'Status' }).click();
  await page.locator('.ant-select-dropdown:visible').getByText('Delivered', { exact: true }).click();
  await expect(drawer.getByText('No matches.', { exact: false })).toBeVisible();
  await page.reload();
  await expect(drawer.getByText('No matches.', { exact: false })).toBeVisible();
  await drawer.getByRole('combobox', { name: 'Status' }).click();
  await page.locator('.ant-select-dropdown:visible').getByText('Failed', { exact: true }).click();
  await drawer.getByRole('link', { name: 'webhook.test' }).press('Enter');
  const delivery = page.getByRole('dialog', { name: 'Delivery', exact: true });
  await expect(delivery.getByText('the database is away')).toBeVisible();
  await expect(delivery.getByRole('region', { name: 'Request' })).toContainText(`"webhook_id": ${id}`);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);

  receiver.respond = { status: 204, text: '' };
  await delivery.getByRole('button', { name: 'Resend' }).dblclick();
  await expect(delivery.getByText('Delivered')).toBeVisible();
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array.from({ length: 2 }, () => receiver.received[0]?.headers['webhook-id']),
  );
  await page.keyboard.press('Escape');
  await expect(delivery).toBeHidden();

  // A 410 response disables the endpoint, and holds the delivery.
  receiver.respond = { status: 410, text: '' };
  await stage.person();
  await expect(drawer.getByText('Turned off: the receiver responded 410 Gone').first()).toBeVisible();
  await drawer.getByRole('button', { name: 'Turn on' }).click();
  await expect(drawer.getByRole('button', { name: 'Turn off' })).toBeVisible();

  receiver.respond = { status: 503, text: '' };
  await drawer.getByRole('button', { name: 'Resend since…' }).click();
  const replay = page.getByRole('dialog', { name: 'Resend failed and held deliveries' });
  await expect(replay.getByText('Time zone: Asia/Shanghai')).toBeVisible();
  await replay.getByLabel('Since').fill('2100-01-01T00:00');
  await replay.getByRole('button', { name: 'Resend' }).click();
  await expect(replay.getByText('No failed or held deliveries since then.')).toBeVisible();
  await replay.getByLabel('Since').fill('2026-01-01T00:00');
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await replay.getByRole('button', { name: 'Resend' }).dblclick();
  await expect(replay.getByText('1 delivery queued for resending')).toBeVisible();
  await replay.getByRole('button', { name: 'Close' }).last().click();
  await expect(drawer.getByText('On, last attempt failed')).toBeVisible();
  receiver.respond = { status: 204, text: '' };
  await expect.poll(() => receiver.received.length).toBe(5);
});

test('on a phone, in Chinese, in the dark theme, nothing is cut off or covered', async ({
  stage,
  admin,
  receiver,
}) => {
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/webhooks', {
    url: `${receiver.url}/${'long'.repeat(30)}`,
    event_types: ['*'],
    description: '计费系统',
  });
  await stage.requestAsAdmin('POST', `/api/admin/webhooks/${id}/test`);
  const options = {
    locale: 'zh-CN',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  } as const;
  const page = await stage.open(admin, '/admin/webhooks', { options, mayLogErrors: REFUSED });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect(page.getByText('计费系统')).toBeVisible();
  expect(await overflow()).toBe(0);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await page.goto(`/admin/webhooks?webhook=${id}`);
  await expect(page.getByRole('heading', { name: '投递记录' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'webhook.test' })).toBeVisible();
  expect(await overflow()).toBe(0);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await page.goto('/admin/webhooks?new=1');
  await expect(page.getByRole('checkbox', { name: 'call.created' })).toBeVisible();
  expect(await overflow()).toBe(0);
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  await page.goto('/admin/webhooks?webhook=999999999');
  await expect(page.getByRole('alert')).toContainText('回调地址不存在');
});

test('saving the description of an endpoint keeps the events that another administrator changed', async ({
  stage,
  admin,
  receiver,
}) => {
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/webhooks', {
    url: receiver.url,
    event_types: ['user.created'],
  });
  const page = await stage.open(admin, `/admin/webhooks?webhook=${id}&edit=1`);
  const edit = page.getByRole('dialog', { name: 'Edit endpoint' });
  await edit.getByRole('textbox', { name: 'Description' }).fill('Billing');
  await stage.requestAsAdmin('PUT', `/api/admin/webhooks/${id}`, { event_types: ['call.ended'] });
  // The drawer polls the endpoint.
  const facts = page.locator('dl').filter({ hasText: 'call.ended' });
  await expect(facts).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await edit.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ description: 'Billing' });
  await expect(edit).toBeHidden();
  await expect(facts).toContainText('Billing');
});
