import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { contactOf, createContacts } from '../support/call';

test(
  'a user is found by account; the profile offers messages and blocking',
  { tag: '@smoke' },
  async ({ stage }) => {
    const person = await stage.person({ name: 'Alice Winter' });
    const other = await stage.person({ name: '王小明' });
    const page = await stage.open(person, '/contacts');
    const search = page.getByRole('searchbox', { name: 'Search people' });
    await expect(search).toHaveAccessibleDescription('Enter a full account name or ID.');
    await expect(page.getByText('No chats yet. Search for someone above.')).toBeVisible();

    await search.fill('nobody-is-called-so');
    await expect(page.getByText('No one found.')).toBeVisible();
    await search.fill(other.account.toUpperCase());
    const found = page.getByRole('list', { name: 'Results' }).getByRole('link');
    await expect(found).toHaveText(/王小明/);
    // Keyboard only.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 2, name: '王小明' })).toBeVisible();
    await expect(page.getByText(`ID: ${other.id}`)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`q=${other.account.toUpperCase()}.*person=${other.id}`));
    await page.reload();
    await expect(found).toHaveAttribute('aria-current', 'true');

    await page.getByRole('button', { name: 'Message' }).click();
    await expect(page).toHaveURL(/\/conversations\/\d+$/);
    await page.goBack();
    await stage.open(other, '/contacts');
    await expect(page.getByRole('region', { name: '王小明' }).getByText('Online')).toBeVisible();

    await page.getByRole('button', { name: 'Block', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Block 王小明' });
    await expect(question).toContainText('王小明 won’t be notified.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Message' })).toBeVisible();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await question.getByRole('button', { name: 'Block 王小明' }).click();
    await expect(page.getByText('You blocked 王小明')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Message' })).toBeHidden();
    // The event may arrive before the response, and the page behind the dialog is inert until the dialog has closed.
    await expect(question).toBeHidden();
    await search.clear();
    await expect(search).toHaveValue('');
    await page.getByRole('button', { name: 'Blocked' }).click();
    await expect(page.getByRole('list', { name: 'Blocked' }).getByRole('listitem')).toHaveText(/王小明/);
    await page.getByRole('button', { name: 'Unblock' }).click();
    await expect(page.getByText('You haven’t blocked anyone.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Message' })).toBeVisible();
  },
);

test('a profile shows when the user was last online, and nothing of users who hide it', async ({ stage }) => {
  const [alice, bob] = await createContacts(stage);
  const [page, theirs] = [await stage.open(alice, contactOf(bob)), await stage.open(bob, '/contacts')];
  const profile = page.getByRole('region', { name: '王小明' });
  await expect(profile.getByText('Online')).toBeVisible();
  await theirs.close();
  await expect(profile.getByText(/^Last seen (yesterday, )?\d\d:\d\d$/)).toBeVisible();
  await page.goto(contactOf(alice));
  await expect(page.getByText('This is you.')).toBeVisible();
  await expect(page.getByText(`Account: ${alice.account}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeHidden();
});

test('the URL of an unknown user shows an error', async ({ stage }) => {
  const page = await stage.open(await stage.person(), '/contacts?person=999999999', { mayLogErrors: /404/ });
  await expect(page.getByRole('alert')).toContainText('Request ');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`contacts have no accessibility violations, in ${colorScheme}, in Chinese, at the width of a phone`, async ({
    stage,
  }) => {
    const [alice, bob] = await createContacts(stage);
    const viewport = { width: 360, height: 720 };
    const options = { colorScheme, locale: 'zh-CN', viewport };
    const page = await stage.open(alice, '/contacts', { options });
    await expect(page.getByRole('searchbox', { name: '查找用户' })).toBeVisible();
    await expect(page.getByRole('list', { name: '聊过的人' }).getByRole('link')).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: '王小明' }).click();
    await expect(page.getByRole('button', { name: '语音通话' })).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole('button', { name: '屏蔽', exact: true }).click();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: `屏蔽 ${bob.name}` }).click();
    await expect(page.getByText(`你已屏蔽 ${bob.name}`)).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: '返回列表' }).click();
    await expect(page.getByRole('searchbox', { name: '查找用户' })).toBeVisible();
  });

test('the search follows its URL', async ({ stage }) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const page = await stage.open(alice, `/contacts?q=${bob.account}`);
  const search = page.getByRole('searchbox', { name: 'Search people' });
  const found = page.getByRole('list', { name: 'Results' }).getByRole('link');
  await expect(found).toHaveText(/Bob/);
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Contacts' }).click();
  await expect(page).toHaveURL('/contacts');
  await expect(search).toHaveValue('');
  await expect(page.getByText('No chats yet. Search for someone above.')).toBeVisible();
  await page.goBack();
  await expect(search).toHaveValue(bob.account);
  await expect(found).toHaveText(/Bob/);
});
