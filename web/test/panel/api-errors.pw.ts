import { expect, test } from '../support/journey';

test(
  'an error is shown at its field in either language of the service',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const page = await stage.open(admin, '/admin/devices?new=1', { mayLogErrors: /status of 4\d\d/ });
    const answers = {
      '**/api/admin/devices': [409, 'Another device has this serial number'],
      '**/api/admin/webhooks': [422, 'url is invalid'],
    } as const;
    for (const [path, [status, message]] of Object.entries(answers))
      await page.route(path, (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status, json: { code: status, message, data: null } })
          : route.continue(),
      );
    const device = page.getByRole('dialog', { name: 'New device' });
    await device.getByRole('textbox', { name: 'Name' }).fill('Gate');
    await device.getByRole('textbox', { name: 'Serial number' }).fill('SN');
    await device.getByRole('button', { name: 'Create' }).click();
    const serialNo = device.getByRole('textbox', { name: 'Serial number' });
    await expect(serialNo).toBeFocused();
    await expect(serialNo).toHaveAccessibleDescription(/^Another device has this serial number/);

    await page.goto('/admin/webhooks?new=1');
    const webhook = page.getByRole('dialog', { name: 'New endpoint' });
    await webhook.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.7/hooks');
    await webhook.getByRole('checkbox', { name: 'user.created' }).check();
    await webhook.getByRole('button', { name: 'Create' }).click();
    await expect(webhook.getByText('This URL isn’t allowed.', { exact: false })).toBeVisible();
  },
);
