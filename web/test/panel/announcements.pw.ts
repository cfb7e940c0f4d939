import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { holdResponses } from '../support/held-response';
import { expect, test } from '../support/journey';
import { PASSWORD, type Stage } from '../support/stage';
import { expectToast } from '../support/toasts';

const uniqueTitle = (): string => `Fire drill ${randomBytes(4).toString('hex')}`;

/** Returns the number of announcements with this title. */
async function countOf(stage: Stage, title: string): Promise<number> {
  const { items } = await stage.requestAsAdmin('GET', '/api/admin/announcements?limit=200');
  return (items as { title: string }[]).filter((each) => each.title === title).length;
}

const formOf = (page: Page) => page.getByRole('dialog').filter({ hasText: 'New announcement' });

test(
  'an announcement is previewed, sent once despite a double click, read and withdrawn',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const title = uniqueTitle();
    const reader = await stage.person();
    const page = await stage.open(admin, '/admin/announcements');
    await page.getByRole('button', { name: 'New announcement' }).click();
    const form = formOf(page);
    await form.getByRole('radio', { name: 'Role' }).check();
    await form.getByRole('radio', { name: 'All users' }).check();
    await form.getByLabel('Title').fill(title);
    await form.getByRole('textbox', { name: 'Content' }).fill('At ten,\nin the yard.');
    const preview = form.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('article')).toContainText(title);
    await expect(
      preview.getByText(/^Reaches \d+ users\. Users who join later won’t receive it\.$/),
    ).toBeVisible();
    await expect(form.getByText(/Reaches \d+ users/)).toHaveCount(1);
    expect(await findAccessibilityViolations(page)).toEqual([]);

    await form.getByRole('button', { name: 'Send' }).dblclick();
    const asking = page.getByRole('dialog').filter({ hasText: 'It appears in their inboxes immediately' });
    await asking.getByRole('button', { name: 'Send' }).dblclick();
    const drawer = page.getByRole('dialog').filter({ hasText: 'Sent at' });
    await expect(drawer.getByRole('article')).toContainText(title);
    await expect(page).toHaveURL(/\/admin\/announcements\?announcement=\d+$/);
    expect(await countOf(stage, title)).toBe(1);

    const { list } = await stage.request(reader.id, 'GET', '/api/notifications');
    expect(list[0]).toMatchObject({ title, content: 'At ten,\nin the yard.' });
    await drawer.getByRole('button', { name: 'Withdraw' }).click();
    const confirm = page.getByRole('dialog', { name: `Withdraw “${title}”?` });
    await expect(confirm).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await confirm.getByRole('button', { name: 'Withdraw' }).click();
    await expect(drawer.getByText('Removed from all inboxes.')).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('row', { name: title })).toContainText('Withdrawn');
  },
);

test('an announcement is sent after its recipients were counted, or with its audience if the count fails', async ({
  stage,
  admin,
}) => {
  const page = await stage.emptyTab(admin, { mayLogErrors: /422/ });
  const counting = Promise.withResolvers<void>();
  await page.route('**/api/admin/users?per_page=1', async (route) => {
    await counting.promise;
    await route.fulfill({ status: 422, json: { code: 422, message: 'role 取值无效', data: null } });
  });
  const title = uniqueTitle();
  await page.goto('/admin/announcements?compose=1');
  const form = formOf(page);
  await form.getByLabel('Title').fill(title);
  await form.getByRole('textbox', { name: 'Content' }).fill('Now');
  const send = form.getByRole('button', { name: 'Send' });
  await expect(send).toBeDisabled();
  counting.resolve();
  await expect(send).toBeEnabled();
  await send.click();
  const asking = page.getByRole('dialog', { name: 'Send it to “Everyone”?' });
  await expect(asking).toContainText('The number of recipients could not be loaded.');
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await expect(asking).toBeHidden();
  expect(await countOf(stage, title)).toBe(0);
});

test('the picker of recipients takes no user of the text before', async ({ stage, admin }) => {
  const name = `Hazel ${randomBytes(4).toString('hex')}`;
  await stage.person({ name });
  const page = await stage.open(admin, '/admin/announcements?compose=1');
  const form = formOf(page);
  await form.getByRole('radio', { name: 'Selected users' }).check();
  const picker = form.getByRole('combobox', { name: 'Selected users' });
  const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option');
  await picker.fill(name);
  await expect(options).toContainText([name]);
  const answering = Promise.withResolvers<void>();
  await page.route(/keyword=nobody/, async (route) => {
    await answering.promise;
    await route.continue();
  });
  await picker.fill('nobody');
  await picker.press('Tab');
  await expect(picker).not.toBeFocused();
  await expect(form.getByTitle(name)).toHaveCount(0);
  answering.resolve();
  // The field was emptied, so all users are offered again.
  await picker.click();
  await expect(options.nth(1)).toBeVisible();
});

test('the picker of recipients keeps users that match while it searches', async ({ stage, admin }) => {
  const name = `Hazel ${randomBytes(4).toString('hex')}`;
  await stage.person({ name });
  const page = await stage.open(admin, '/admin/announcements?compose=1');
  const form = formOf(page);
  await form.getByRole('radio', { name: 'Selected users' }).check();
  const picker = form.getByRole('combobox', { name: 'Selected users' });
  const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option');
  await picker.fill(name);
  await expect(options).toContainText([name]);
  const { isHeld, release } = await holdResponses(page, 'GET', /keyword=Hazel(?:%20|\+)[\da-f]{7}(?:&|$)/);
  await picker.fill(name.slice(0, -1));
  await isHeld;
  await picker.press('Enter');
  await expect(form.getByTitle(name)).toHaveCount(1);
  release();
});

test('missing, too long and rejected values are shown at their fields', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/announcements?compose=1', {
    options: { colorScheme: 'dark' },
    mayLogErrors: /422/,
  });
  const form = formOf(page);
  await form.getByRole('radio', { name: 'Selected users' }).check();
  await form.getByLabel('Title').fill('x'.repeat(101));
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('At most 100 characters')).toBeVisible();
  await expect(form.getByText('Required')).toHaveCount(2);
  expect(await findAccessibilityViolations(page)).toEqual([]);

  // An announcement to one user is a plain notification, which is not in the list.
  const someone = await stage.person({ name: 'Grace' });
  await form.getByRole('combobox', { name: 'Selected users' }).fill(someone.account);
  await page.getByTitle(`Grace (${someone.account})`).click();
  await expect(form.getByText('An announcement to one user is sent as a plain notification')).toBeVisible();
  await form.getByLabel('Title').fill('For you');
  await form.getByRole('textbox', { name: 'Content' }).fill('alone');

  // Simulates that the service rejects a kind that the page accepts.
  await page.route('**/api/admin/notifications', (route) =>
    route.fulfill({ status: 422, json: { code: 422, message: 'type 取值无效', data: null } }),
  );
  const send = async (): Promise<void> => {
    await form.getByRole('button', { name: 'Send' }).click();
    const asking = page.getByRole('dialog').filter({ hasText: 'Send it to 1 user?' });
    await asking.getByRole('button', { name: 'Send' }).click();
  };
  await send();
  await expect(form.getByText('type is invalid')).toBeVisible();
  await expect(form.getByLabel('Title')).toHaveValue('For you');
  await page.unroute('**/api/admin/notifications');
  await form.getByRole('combobox', { name: 'Type' }).fill('personal');
  await send();
  await expectToast(page, 'Sent to 1 user');
  const { list } = await stage.request(someone.id, 'GET', '/api/notifications?type=personal');
  expect(list).toMatchObject([{ title: 'For you', content: 'alone', type: 'personal' }]);
});

test('after a lost response the input is kept and the announcement is sent once', async ({
  stage,
  admin,
}) => {
  const title = uniqueTitle();
  const page = await stage.open(admin, '/admin/announcements?compose=1', { mayLogErrors: /ERR_/ });
  const form = formOf(page);
  await form.getByLabel('Title').fill(title);
  await form.getByRole('textbox', { name: 'Content' }).fill('Now');
  // The service executes the request, but the response is lost.
  await page.route('**/api/admin/notifications', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const send = async (): Promise<void> => {
    await form.getByRole('button', { name: 'Send' }).click();
    const asking = page.getByRole('dialog').filter({ hasText: 'It appears in their inboxes immediately' });
    await asking.getByRole('button', { name: 'Send' }).click();
  };
  await send();
  await expect(form.getByRole('alert').filter({ hasText: 'The service cannot be reached' })).toBeVisible();
  await expect(form.getByLabel('Title')).toHaveValue(title);
  await page.unroute('**/api/admin/notifications');
  await send();
  // Until the form is closed, its preview matches the next locator as well.
  await expect(form).toBeHidden();
  await expect(page.getByRole('article').filter({ hasText: title })).toBeVisible();
  expect(await countOf(stage, title)).toBe(1);
});

test('a session that expires asks for a log-in and keeps the input', async ({ stage, admin }) => {
  const title = uniqueTitle();
  const page = await stage.open(admin, '/admin/announcements?compose=1', { mayLogErrors: /401/ });
  const form = formOf(page);
  await form.getByLabel('Title').fill(title);
  await form.getByRole('textbox', { name: 'Content' }).fill('Half of what I');
  // Ended earlier, the dialog below could open before the buttons are clicked.
  await page.route(
    '**/api/admin/notifications',
    async (route) => {
      await stage.requestAsAdmin('DELETE', `/api/admin/users/${admin.id}/sessions`);
      await route.continue();
    },
    { times: 1 },
  );
  await form.getByRole('button', { name: 'Send' }).click();
  const asking = page.getByRole('dialog').filter({ hasText: 'It appears in their inboxes immediately' });
  await asking.getByRole('button', { name: 'Send' }).click();
  const again = page.getByRole('dialog', {
    name: 'Your session has ended. Log in to continue.',
  });
  await expect(again).toBeVisible();
  expect(await countOf(stage, title)).toBe(0);
  await again.getByLabel('Password').fill(PASSWORD);
  await expect(again.getByLabel('Password')).toHaveValue(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(again).toBeHidden();

  await expect(form.getByLabel('Title')).toHaveValue(title);
  const content = form.getByRole('textbox', { name: 'Content' });
  await expect(content).toHaveValue('Half of what I');
  await content.fill('Half of what I wanted to say.');
  await form.getByRole('button', { name: 'Send' }).click();
  await asking.getByRole('button', { name: 'Send' }).click();
  // Until the form is closed, its preview matches the next locator as well.
  await expect(form).toBeHidden();
  await expect(page.getByRole('article').filter({ hasText: 'Half of what I wanted to say.' })).toBeVisible();
  expect(await countOf(stage, title)).toBe(1);
});

test('an unknown announcement is an error in Chinese; closing restores the focus', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/announcements?announcement=987654321', {
    options: { locale: 'zh-CN' },
    mayLogErrors: /404/,
  });
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('公告不存在');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/admin\/announcements$/);
  const compose = page.getByRole('button', { name: '发布公告' });
  await compose.click();
  await expect(page.getByRole('textbox', { name: '标题' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(compose).toBeFocused();
});
