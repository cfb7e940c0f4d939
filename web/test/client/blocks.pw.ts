import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

test('blocking asks for confirmation and replaces the composer, which unblocks; the peer sees undelivered messages', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: '鲍勃' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'good morning');
  const page = await stage.open(amy, `/conversations/${id}`);
  const second = await page.context().newPage();
  await second.goto(`/conversations/${id}`);
  const hers = new ChatOnPage(page);
  await expect(hers.message('good morning')).toBeVisible();
  const chooseFromHeader = async (action: string): Promise<void> => {
    await page
      .getByRole('region', { name: '鲍勃' })
      .getByRole('button', { name: 'Actions for 鲍勃' })
      .click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };

  await chooseFromHeader('Block');
  const question = page.getByRole('dialog', { name: 'Block 鲍勃' });
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Block 鲍勃' }).click();
  for (const tab of [page, second]) {
    await expect(tab.getByText('You blocked 鲍勃')).toBeVisible();
    await expect(tab.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
    await expect(tab.getByRole('button', { name: 'Voice call' })).toHaveCount(0);
  }
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await hers.message('good morning').hover();
  await hers.log.getByRole('button', { name: 'Message actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Forward' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Reply' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  const his = new ChatOnPage(
    await stage.open(bob, `/conversations/${id}`, { options: { locale: 'zh-CN' }, mayLogErrors: /403/ }),
  );
  await his.write('在吗');
  const unsent = his.log.getByRole('article', { name: '未发出的消息' });
  await expect(unsent).toContainText('消息无法送达对方');
  await expect(unsent.getByRole('button')).toHaveText(['放弃']);
  await unsent.getByRole('button', { name: '放弃' }).click();

  await page.getByRole('button', { name: 'Unblock' }).click();
  await expect(hers.box).toBeFocused();
  await his.write('又见面了');
  await expect(hers.message('又见面了')).toBeVisible();
  await chooseFromHeader('View profile');
  await expect(page.getByText(`ID: ${bob.id}`)).toBeVisible();
});

test('a member of a group ends a block, blocks again, and opens the profile, all from the menu of the other member', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const body = { type: 'group', name: 'Trip', member_ids: [amy.id] };
  const { id } = await stage.request(bob.id, 'POST', '/api/messages/conversations', body);
  // On another device: this page does not know of it before the menu is opened.
  await stage.request(amy.id, 'PUT', `/api/users/${bob.id}/block`);
  const blocks = async () => (await stage.request(amy.id, 'GET', '/api/users/blocks')).items;
  const page = await stage.open(amy, `/conversations/${id}`);
  await page.getByRole('button', { name: 'Members: 2' }).click();
  const members = page.getByRole('complementary', { name: 'Details' });
  const choose = async (action: string): Promise<void> => {
    await members.getByRole('button', { name: 'Actions for member Bob' }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await choose('Unblock');
  await page
    .getByRole('dialog', { name: 'Unblock Bob' })
    .getByRole('button', { name: 'Unblock Bob' })
    .click();
  await expect.poll(blocks).toEqual([]);
  await choose('Block');
  const question = page.getByRole('dialog', { name: 'Block Bob' });
  await question.getByRole('button', { name: 'Block Bob' }).click();
  await expect(question).toHaveCount(0);
  expect(await blocks()).toMatchObject([{ id: bob.id }]);
  await choose('View profile');
  await expect(page.getByRole('heading', { level: 2, name: 'Bob' })).toBeVisible();
});
