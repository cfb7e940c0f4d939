import { expect, test } from '../support/journey';

test('saving the name of a user keeps the status and role that another administrator changed', async ({
  stage,
  admin,
}) => {
  const user = await stage.person();
  const path = `/api/admin/users/${user.id}`;
  const page = await stage.open(admin, `/admin/users?user=${user.id}`, { mayLogErrors: /status of 422/ });
  const drawer = page.getByRole('dialog');
  const save = drawer.getByRole('button', { name: 'Save' });
  const picture = drawer.getByRole('textbox', { name: 'Picture' });
  await expect(picture).toHaveValue('');
  await stage.requestAsAdmin('PUT', path, { status: 0, role: 'admin' });
  // After a rejected save the drawer shows the current user, and the form keeps its input.
  await picture.fill('javascript:alert(1)');
  await save.click();
  await expect(picture).toHaveAccessibleDescription(/is invalid/);
  await expect(drawer.locator('.drawer-head')).toContainText('Disabled');
  await picture.fill('');

  const form = drawer.locator('form');
  for (const [label, field, value] of [
    ['Name', 'name', 'Renamed'],
    ['External ID', 'external_id', `crm-${user.id}`],
  ] as const) {
    await form.getByRole('textbox', { name: label }).fill(value);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await save.click();
    expect((await sent).postDataJSON()).toEqual({ [field]: value });
    // After a save the form shows the current values.
    await expect(form).toContainText('Disabled');
  }
  expect(await stage.requestAsAdmin('GET', path)).toMatchObject({ status: 0, role: 'admin' });
});
