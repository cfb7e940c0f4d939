import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';
import { recordRequestsAfterDelete } from '../support/deletion';
import { expectToast } from '../support/toasts';

async function createDevice(
  stage: Stage,
  name = 'Door',
): Promise<{ id: number; path: string; serial_no: string }> {
  const serial_no = `E${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/devices', { name, serial_no });
  return { id, path: `/api/admin/devices/${id}`, serial_no };
}

test('saving the name of a device keeps the user that another administrator bound', async ({
  stage,
  admin,
}) => {
  const [first, second] = [await stage.person(), await stage.person()];
  const { id, path } = await createDevice(stage);
  await stage.requestAsAdmin('PUT', path, { user_id: first.id });
  const page = await stage.open(admin, `/admin/devices?device=${id}`);
  const form = page.getByRole('region', { name: 'Edit', exact: true });
  // The name of the user is loaded after the device.
  await expect(form.getByText(first.name)).toBeVisible();
  await form.getByRole('textbox', { name: 'Name' }).fill('Gate');
  await stage.requestAsAdmin('PUT', path, { user_id: second.id, status: 0 });
  // The drawer polls the device.
  await expect(page.locator('dl').getByRole('link', { name: second.name })).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await form.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ name: 'Gate' });
  await expect(form.getByText(second.name)).toBeVisible();
  expect(await stage.requestAsAdmin('GET', path)).toMatchObject({ user_id: second.id, status: 0 });
});

test('the form of a device shows the saved values before the device is requested again', async ({
  stage,
  admin,
}) => {
  const { id, path } = await createDevice(stage);
  const page = await stage.open(admin, `/admin/devices?device=${id}`);
  const form = page.getByRole('region', { name: 'Edit', exact: true });
  const name = form.getByRole('textbox', { name: 'Name' });
  await name.fill('Gate');
  // Requests for the device get no response.
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  );
  await form.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved');
  await expect(form.getByRole('button', { name: 'Discard changes' })).toBeDisabled();
  await expect(name).toHaveValue('Gate');
});

test('a deleted device is not requested again', async ({ stage, admin }) => {
  const { id, path } = await createDevice(stage);
  const page = await stage.open(admin, `/admin/devices?device=${id}`);
  const start = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  await expect(start).toBeVisible();
  const requests = await recordRequestsAfterDelete(page, path);
  await start.click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Door deleted');
  await expect(page.locator(`a[href*="device=${id}"]`)).toHaveCount(0);
  expect(requests).toEqual([]);
});

test('the confirmation of a deletion deletes the device that it names, also when another one was opened', async ({
  stage,
  admin,
}) => {
  const [first, second] = [await createDevice(stage, 'First'), await createDevice(stage, 'Second')];
  const page = await stage.open(admin, '/admin/devices');
  const palette = page.getByRole('combobox', { name: 'Pages, users, devices, groups' });
  const open = async ({ id, serial_no }: typeof first): Promise<void> => {
    await page.keyboard.press('Control+k');
    await palette.fill(serial_no);
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
    await palette.press('Enter');
    await expect(page).toHaveURL(new RegExp(`device=${id}$`));
  };
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
  // Afterwards the second device is cached, so that the drawer shows it without loading.
  await open(second);
  await expect(page.getByRole('dialog', { name: 'Second' })).toBeVisible();
  await open(first);
  await page.getByRole('dialog', { name: 'First' }).getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: /Delete .*First/ });
  await expect(question).toBeVisible();
  await open(second);
  await question.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'First deleted');
  const { items } = await stage.requestAsAdmin('GET', `/api/admin/devices?keyword=${first.serial_no}`);
  expect(items).toEqual([]);
  expect(await stage.requestAsAdmin('GET', second.path)).toMatchObject({ name: 'Second' });
});

test('text typed while a device is being saved is kept, and saved by the next click', async ({
  stage,
  admin,
}) => {
  const { id, path, serial_no } = await createDevice(stage);
  const page = await stage.open(admin, `/admin/devices?device=${id}`);
  const form = page.getByRole('region', { name: 'Edit', exact: true });
  const save = form.getByRole('button', { name: 'Save' });
  const { isHeld, release } = await holdResponses(page, 'PUT', `**${path}`);
  await form.getByRole('textbox', { name: 'Name' }).fill('Gate');
  await save.click();
  await isHeld;
  await form.getByRole('textbox', { name: 'Serial number' }).fill(`${serial_no}-2`);
  release();
  await expectToast(page, 'Saved');
  await expect(page.getByRole('dialog', { name: 'Gate' })).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Serial number' })).toHaveValue(`${serial_no}-2`);
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await save.click();
  expect((await sent).postDataJSON()).toEqual({ serial_no: `${serial_no}-2` });
  await expectToast(page, 'Saved');
});

test('a device whose group was deleted is created, with a warning', async ({ stage, admin }) => {
  const name = `Yard ${crypto.randomUUID().slice(0, 8)}`;
  const group = await stage.requestAsAdmin('POST', '/api/admin/device-groups', { name });
  const page = await stage.open(admin, `/admin/devices?group_id=${group.id}&new=1`, {
    mayLogErrors: /status of 404/,
  });
  const form = page.getByRole('dialog', { name: 'New device' });
  await expect(form.getByText(name)).toBeVisible();
  await form.getByRole('textbox', { name: 'Name' }).fill('Gate');
  await stage.requestAsAdmin('DELETE', `/api/admin/device-groups/${group.id}`);
  await form.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'Device created, but not added to the group: The group does not exist');
  await expect(page.getByRole('dialog', { name: 'Gate' })).toBeVisible();
});
