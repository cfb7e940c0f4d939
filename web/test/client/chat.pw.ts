import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

test(
  'two people chat in two browsers: send, read, answer, react, edit, recall, forward',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
    const id = await singleChat(stage, amy, bob);
    const hers = new ChatOnPage(await stage.open(amy, `/conversations/${id}`));
    const his = new ChatOnPage(await stage.open(bob, '/'));
    await expect(hers.box).toBeFocused();

    await hers.box.fill('hello');
    await hers.box.press('Shift+Enter');
    await hers.box.pressSequentially('see https://example.com/a.');
    await hers.box.press('Enter');
    await expect(hers.message('hello')).toContainText('Sent');
    const link = hers.log.getByRole('link', { name: 'https://example.com/a', exact: true });
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');

    // Bob sees an unread message, which is marked as read when he opens the chat.
    const row = his.page
      .getByRole('list', { name: 'Chats' })
      .getByRole('listitem')
      .filter({ hasText: 'Amy' });
    await expect(row).toContainText('1 unread');
    await row.getByRole('link').click();
    await expect(his.log.getByText('Unread messages')).toBeVisible();
    await expect(hers.message('hello').getByText('Read', { exact: true })).toBeVisible();
    await expect(row).not.toContainText('unread');

    // Amy sees the typing indicator and the reply.
    await his.choose('hello', 'Reply');
    await expect(his.box).toBeFocused();
    // A typing signal expires after six seconds, so he types until she sees it.
    await expect
      .poll(async () => {
        await his.box.pressSequentially('.');
        return hers.page.getByText('Bob is typing…').isVisible();
      })
      .toBe(true);
    await his.box.fill('good day');
    await his.box.press('Enter');
    await expect(hers.message('good day').getByRole('button', { name: /Reply to Amy/ })).toBeVisible();
    await expect(hers.page.getByText('Bob is typing…')).toBeHidden();

    await hers.choose('good day', '👍');
    await expect(his.message('good day').getByRole('button', { name: '👍, 1' })).toHaveAttribute(
      'aria-pressed',
      'false',
    );
    await his.message('good day').getByRole('button', { name: '👍, 1' }).click();
    await expect(hers.message('good day').getByRole('button', { name: '👍, 2' })).toBeVisible();

    await his.choose('good day', 'Edit');
    await expect(his.box).toHaveValue('good day');
    await his.box.fill('good evening');
    await his.box.press('Enter');
    await expect(hers.message('good evening')).toContainText('edited');
    await hers
      .message('good evening')
      .getByRole('button', { name: /Reply to/ })
      .click();
    await expect(hers.message('hello').first()).toBeFocused();

    await his.choose('good evening', 'Forward');
    await his.page.getByRole('dialog').getByRole('option', { name: 'Amy' }).click();
    await his.page.getByRole('button', { name: 'Forward to 1 chat' }).click();
    await expect(hers.message('Forwarded')).toContainText('good evening');

    await hers.choose('see https', 'Recall');
    await hers.page.getByRole('dialog').getByRole('button', { name: 'Recall' }).click();
    await expect(his.log.getByText('Amy recalled a message')).toBeVisible();
    await expect(his.log.getByText('This message was recalled').first()).toBeVisible();

    await hers.choose('Forwarded', 'Delete for me');
    await hers.page.getByRole('dialog').getByRole('button', { name: 'Delete for me' }).click();
    await expect(hers.log.getByText('You deleted this message')).toBeVisible();
    await expect(his.message('Forwarded')).toBeVisible();

    await hers.page.locator('.chat-header').getByRole('button', { name: 'Actions for Bob' }).click();
    await hers.page.getByRole('menuitem', { name: 'Clear history' }).click();
    await hers.page.getByRole('dialog').getByRole('button', { name: 'Clear history' }).click();
    await expect(hers.log.getByRole('article')).toHaveCount(0);
    expect(await his.log.getByRole('article').count()).toBe(3);
  },
);

test('the error of a failed reaction stays when a queued one succeeds', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const first = await sendMessage(stage, bob, id, 'one');
  await sendMessage(stage, bob, id, 'two');
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: /ERR_FAILED/ });
  const hers = new ChatOnPage(page);
  const cut = Promise.withResolvers<void>();
  await page.route(`**/api/messages/${first}/reactions`, async (route) => {
    await cut.promise;
    await route.abort();
  });
  await hers.choose('one', '👍');
  await hers.choose('two', '👍');
  const second = page.waitForResponse('**/reactions');
  cut.resolve();
  await second;
  await expect(hers.message('two').getByRole('button', { name: '👍, 1' })).toBeVisible();
  await expect(page.getByText('The service cannot be reached')).toBeVisible();
  await expect(hers.message('one').getByRole('button', { name: '👍, 1' })).toBeHidden();
});

test('a chat works by keyboard and with an input method; drafts are kept until log-out', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const group = await stage.request(bob.id, 'POST', '/api/messages/conversations', {
    type: 'group',
    name: 'Trip',
    member_ids: [amy.id],
  });
  await sendMessage(stage, bob, id, 'first');
  await sendMessage(stage, bob, id, 'second');
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  await expect(chat.message('second')).toBeVisible();

  // Enter that ends an IME composition sends nothing.
  await chat.box.focus();
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 });
  await chat.box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
  await input.send('Input.insertText', { text: '你好' });
  await expect(chat.box).toHaveValue('你好');
  expect(await chat.log.getByRole('article').count()).toBe(2);

  // From the text box to a message above it, its menu, and a reply.
  await chat.log.focus();
  await page.keyboard.press('ArrowUp');
  await expect(chat.message('second')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(chat.message('first')).toBeFocused();
  for (const name of ['React', 'Reply', 'Message actions']) {
    await page.keyboard.press('Tab');
    await expect(chat.message('first').getByRole('button', { name, exact: true })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: '👍' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chat.message('first').getByRole('button', { name: 'Message actions' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: '👍' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete for me' })).toBeFocused();
  await page.keyboard.press('Home');
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.box).toBeFocused();
  await expect(page.getByText('Replying to Bob')).toBeVisible();

  // The draft is kept after a reload, and shown in the list while another chat is open.
  await page.reload();
  await expect(chat.box).toHaveValue('你好');
  await expect(page.getByText('Replying to Bob')).toBeVisible();
  await page.goto(`/conversations/${group.id}`);
  await expect(chat.box).toHaveValue('');
  await expect(page.getByText('Draft: 你好')).toBeVisible();

  // Typing @ suggests members.
  await chat.box.pressSequentially('@bo');
  await expect(page.getByRole('option', { name: 'Bob' })).toHaveAttribute('aria-selected', 'true');
  await chat.box.press('Enter');
  await expect(chat.box).toHaveValue('@Bob ');
  await chat.box.press('Enter');
  await expect(chat.message('@Bob')).toContainText('Read by 0 of 1');
  // The open list of readers is updated live.
  await chat.message('@Bob').getByRole('button', { name: 'Read by 0 of 1' }).click();
  await expect(page.getByRole('dialog', { name: 'Read by 0 of 1' })).toContainText('No one yet.');
  await stage.request(bob.id, 'POST', `/api/messages/conversations/${group.id}/read`, {});
  await expect(page.getByRole('dialog', { name: 'Read by 1 of 1' })).toContainText('Bob');
  await page.keyboard.press('Escape');
  const { items } = await stage.request(
    bob.id,
    'GET',
    `/api/messages/conversations/${group.id}/messages?mark_read=0`,
  );
  expect(items[0].mentions).toEqual([bob.id]);

  const length = 'Too long '.repeat(600);
  await chat.box.fill(length);
  await expect(page.getByText('5400 of 5000 characters')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await chat.box.fill('');

  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')));
  expect(await kept()).toHaveLength(1);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Account' })).toBeVisible();
  expect(await kept()).toEqual([]);
});

test('every message type is shown without accessibility violations: light and dark, on a phone, in Chinese', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: '王小明' }), await stage.person({ name: '李雷' })];
  const group = await stage.request(amy.id, 'POST', '/api/messages/conversations', {
    type: 'group',
    name: '周末爬山',
    member_ids: [bob.id],
  });
  const file = `${stage.service.url}/favicon.svg`;
  await sendMessage(stage, bob, group.id, { type: 'image', content: file });
  await sendMessage(stage, bob, group.id, { type: 'file', content: file, extra: { name: '路线.pdf' } });
  await sendMessage(stage, bob, group.id, { type: 'audio', content: file, extra: { duration: 3 } });
  await sendMessage(stage, bob, group.id, { type: 'video', content: file });
  await sendMessage(stage, bob, group.id, {
    type: 'location',
    content: '46.5,7.9',
    extra: { title: '山顶' },
  });
  await sendMessage(stage, bob, group.id, 'javascript:alert(1) 和 https://example.com/。');
  await stage.request(amy.id, 'PUT', `/api/messages/conversations/${group.id}`, { name: '周日爬山' });
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { colorScheme, locale: 'zh-CN', viewport: { width: 360, height: 1600 } };
    const page = await stage.open(amy, `/conversations/${group.id}`, {
      options,
      mayLogErrors: /favicon|media/i,
    });
    const chat = new ChatOnPage(page);
    await expect(chat.log.getByRole('img', { name: '图片' })).toBeVisible();
    await expect(chat.log.getByRole('link', { name: '路线.pdf' })).toHaveAttribute('href', file);
    await expect(chat.log.getByRole('link', { name: '山顶' })).toBeVisible();
    await expect(chat.log.getByText('王小明 将群名修改为“周日爬山”')).toBeVisible();
    await expect(chat.log.getByRole('link', { name: 'https://example.com/', exact: true })).toBeVisible();
    await expect(chat.log.getByRole('link', { name: /javascript/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: '成员 2 人' })).toBeVisible();
    // The colour of a sender follows from the user's id. Yellow has the least contrast.
    const sender = chat.log.locator('.sender').first();
    await sender.evaluate((name) => name.style.setProperty('--hue', '60'));
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(360);
    const voice = chat.log.locator('.bubble').filter({ has: page.locator('.audio-player') });
    const overflow = await voice.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(overflow).toBe(0);
    await page.getByRole('link', { name: '返回会话列表' }).click();
    await expect(page.getByRole('list', { name: '会话列表' })).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
  }
});

test('a rejected message shows its error, and can be retried or discarded', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: /40[39]/ });
  const chat = new ChatOnPage(page);
  await expect(chat.log).toContainText('No messages yet');
  const refused = { code: 409, message: '内容不一致', data: null };
  await page.route('**/messages', (route) => route.fulfill({ status: 409, json: refused }));
  await chat.write('anybody there?');
  await expect(chat.message('anybody there?')).toContainText('Not sent');
  await page.unroute('**/messages');
  await chat.log.getByRole('button', { name: 'Try again' }).click();
  await expect(chat.message('anybody there?')).toContainText('Sent');
  await expect(chat.log.getByRole('article')).toHaveCount(1);

  // A reply keeps the text of this tab when another tab has removed the stored draft, and when the quoted message is recalled.
  const question = await sendMessage(stage, bob, id, 'question');
  await chat.box.fill('answer');
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.includes('draft')) localStorage.removeItem(key);
  });
  await chat.choose('question', 'Reply');
  await expect(page.getByText('Replying to Bob')).toBeVisible();
  await expect(chat.box).toHaveValue('answer');
  await stage.request(bob.id, 'POST', `/api/messages/${question}/recall`);
  await expect(page.getByText('Replying to Bob')).toBeHidden();
  await expect(chat.box).toHaveValue('answer');

  // A chat without membership, or one that does not exist, shows a message.
  await page.goto('/conversations/999999');
  await expect(page.getByText('This chat doesn’t exist, or you’re no longer in it.')).toBeVisible();
});

test('the header of a chat shortens a long name with an ellipsis on a phone', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const name = 'Neighbours of Harbour Court and the old mill';
  const { id } = await stage.request(amy.id, 'POST', '/api/messages/conversations', {
    type: 'group',
    name,
    member_ids: [bob.id],
  });
  const page = await stage.open(amy, `/conversations/${id}`, {
    options: { viewport: { width: 390, height: 844 } },
  });
  const title = page.getByRole('heading', { name }).getByRole('button');
  // Only the element that contains the text can shorten it.
  await expect(title).toHaveCSS('text-overflow', 'ellipsis');
  expect(await title.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  const [right, menuLeft] = [
    await title.evaluate((element) => element.getBoundingClientRect().right),
    await page
      .getByRole('button', { name: /^Actions for/ })
      .last()
      .evaluate((element) => element.getBoundingClientRect().left),
  ];
  expect(right).toBeLessThanOrEqual(menuLeft);
});
