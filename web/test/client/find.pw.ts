import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, sendMessage, sendMessages, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

test(
  'Ctrl-K finds a chat, a person and a message by one field, and opens the chat at the message',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [amy, bob, cleo] = [
      await stage.person({ name: 'Amy' }),
      await stage.person({ name: 'Bob' }),
      await stage.person({ name: 'Cleo' }),
    ];
    const withBob = await singleChat(stage, amy, bob);
    await sendMessage(stage, bob, withBob, 'The parcel is at the front desk');
    await sendMessages(stage, bob, withBob, 120);
    const page = await stage.open(amy, '/contacts');
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const field = dialog.getByRole('combobox', { name: 'Search chats, people and messages' });
    await expect(field).toBeFocused();
    const recent = dialog.getByRole('group', { name: 'Recent chats' }).getByRole('option');
    await expect(recent).toContainText(['Bob']);
    await field.fill(cleo.account);
    await expect(dialog.getByRole('group', { name: 'People' }).getByRole('option')).toContainText('Cleo');
    await field.fill('PARCEL');
    const found = dialog.getByRole('group', { name: 'Messages' }).getByRole('option');
    await expect(found).toContainText(['Bob']);
    await expect(found.locator('mark')).toHaveText(['parcel']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }
    await field.press('Enter');
    await expect(dialog).toBeHidden();
    const chat = new ChatOnPage(page);
    await expect(chat.message('The parcel is at the front desk')).toBeFocused();
    await expect(page).toHaveURL(`/conversations/${withBob}`);
    // The same result opens again, from the end of the same chat.
    await page.getByRole('button', { name: /^Jump to latest/ }).click();
    await expect(chat.message('message 120')).toBeVisible();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field.fill('parcel');
    await found.first().click();
    await expect(chat.message('The parcel is at the front desk')).toBeFocused();
  },
);

test('chats that are not loaded are found by the service, in the search and in the picker of a forward', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const groupOf = async (name: string, owner = amy): Promise<number> => {
    const body = { type: 'group', name, member_ids: [owner === amy ? bob.id : amy.id] };
    return (await stage.request(owner.id, 'POST', '/api/messages/conversations', body)).id;
  };
  // The list loads 50 chats first, the newest ones.
  const old = await groupOf('Lighthouse keepers', bob);
  await sendMessage(stage, bob, old, 'Unread');
  const newest = [];
  for (let index = 1; index <= 51; index += 1) newest.push(await groupOf(`Team ${index}`));
  await sendMessage(stage, amy, newest.at(-1) ?? 0, 'To forward');
  const page = await stage.open(amy, '/contacts', { mayLogErrors: /403/ });
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\)/);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const chats = dialog.getByRole('group', { name: 'Chats' }).getByRole('option');
  const searches: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const keyword = searchParams.get('keyword');
    if (pathname === '/api/messages/conversations' && keyword !== null) searches.push(keyword);
  });
  const field = dialog.getByRole('combobox', { name: 'Search chats, people and messages' });
  await expect(field).toBeFocused();
  // Key presses of the test may be further apart than the page waits for the next one.
  await page.evaluate(() => {
    for (const letter of 'lightHOUSE') document.execCommand('insertText', false, letter);
  });
  await expect(chats).toHaveCount(1);
  await expect(chats).toContainText(['Lighthouse keepers']);
  // Typing sends one request.
  expect(searches).toEqual(['lightHOUSE']);
  // Loaded chats are first.
  await field.fill('Team 5');
  await expect(chats.first()).toContainText('Team 51');
  await expect.poll(() => searches).toContain('Team 5');
  await expect(dialog.getByRole('status')).toHaveText('');
  // Results of the text before disappear immediately, so that Enter opens none of them.
  await field.fill('lighthouse');
  expect(await chats.filter({ hasText: 'Team' }).count()).toBe(0);
  await chats.first().click();
  await expect(page).toHaveURL(`/conversations/${old}`);
  await expect(page.getByRole('heading', { name: 'Lighthouse keepers' })).toBeVisible();
  // It is not in the list, but marked as read all the same.
  await expect(page).toHaveTitle(/^[^(]/);

  await page.goto(`/conversations/${newest.at(-1)}`);
  const chat = new ChatOnPage(page);
  await chat.choose('To forward', 'Forward');
  const forward = page.getByRole('dialog', { name: /^Forward/ });
  await forward.getByRole('combobox').fill('keepers');
  await expect(forward.getByRole('option')).toHaveCount(1);
  await expect(forward.getByRole('option')).toContainText(['Lighthouse keepers']);

  await page.goto(`/conversations/${old}`);
  await expect(chat.message('Unread')).toBeVisible();
  await stage.request(bob.id, 'DELETE', `/api/messages/conversations/${old}`);
  await expect(page.getByText('This chat doesn’t exist, or you’re no longer in it.')).toBeVisible();
});

test('found messages are filtered by sender, type, link and day', async ({ stage }) => {
  const [amy, bob, cleo] = [
    await stage.person({ name: 'Amy' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Cleo' }),
  ];
  const body = { type: 'group', name: 'Trip', member_ids: [bob.id, cleo.id] };
  const { id } = await stage.request(amy.id, 'POST', '/api/messages/conversations', body);
  await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'plan: see https://example.test');
  await sendMessage(stage, cleo, id, 'plan B');
  const extra = { name: 'plan.pdf' };
  await sendMessage(stage, cleo, id, { type: 'file', content: 'https://files.test/plan.pdf', extra });
  const page = await stage.open(amy, '/');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const field = dialog.getByRole('combobox', { name: 'Search chats, people and messages' });
  await field.fill('plan');
  const found = dialog.getByRole('group', { name: 'Messages' }).getByRole('option');
  await expect(found).toHaveCount(3);
  // Messages of the text or the filter before disappear immediately, so that Enter opens none of them.
  const answering = Promise.withResolvers<void>();
  await page.route(/\/messages\/search\?.*(?:keyword=zebra|type=file)/, async (route) => {
    await answering.promise;
    await route.continue();
  });
  await field.fill('zebra');
  await field.press('Enter');
  await expect(dialog.getByText('Searching…')).toBeVisible();
  await expect(found).toHaveCount(0);
  await field.fill('plan');
  await expect(found).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Filters' }).click();
  await dialog.getByRole('combobox', { name: 'From', exact: true }).fill('bo');
  await dialog.getByRole('option', { name: 'Bob', exact: true }).click();
  await expect(found).toHaveCount(1);
  await expect(found).toContainText('see https://example.test');
  await dialog.getByRole('button', { name: 'Clear filters' }).click();
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('File');
  await expect(found).toHaveCount(0);
  answering.resolve();
  await expect(found).toContainText(['[File] plan.pdf']);
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Any type');
  await dialog.getByRole('checkbox', { name: 'Has a link' }).check();
  await expect(found).toHaveCount(1);
  const isSearched = page.waitForRequest(/to=2020-01-31T23%3A00%3A00/);
  await dialog.getByLabel('To date').fill('2020-01-31');
  await isSearched;
  await expect(dialog.getByText('Nothing found.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Filters (2)' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('a search in a chat steps through its hits, and the history scrolls from there in both directions', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'first umbrella');
  await sendMessages(stage, bob, id, 120);
  await sendMessage(stage, amy, id, 'second umbrella');
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  await expect(chat.message('second umbrella')).toBeVisible();
  await page.getByRole('button', { name: 'Search in chat' }).click();
  const panel = page.getByRole('complementary', { name: 'Search in chat' });
  const field = panel.getByRole('searchbox', { name: 'Search this chat' });
  await expect(field).toBeFocused();
  await field.fill('umbrella');
  await expect(panel.getByText('2 messages')).toBeVisible();
  // An Escape that cancels the candidates of an input method does not close the panel.
  await field.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, isComposing: false, bubbles: true });
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await field.press('Enter');
  await expect(panel.getByText('1 of 2')).toBeVisible();
  await field.press('Enter');
  await expect(panel.getByText('2 of 2')).toBeVisible();
  await expect(chat.message('first umbrella')).toBeVisible();
  await expect(chat.message('second umbrella')).toHaveCount(0);
  await expect(field).toBeFocused();
  // Newer messages follow the hit.
  await chat.message('first umbrella').hover();
  await expect
    .poll(
      async () => {
        // Less than the height of the list, whose other messages are not in the page.
        await page.mouse.wheel(0, 300);
        return chat.message('message 60').count();
      },
      { intervals: [100] },
    )
    .toBeGreaterThan(0);
  await panel.getByRole('button', { name: 'Newer result' }).click();
  await expect(chat.message('second umbrella')).toBeVisible();
  // The Escape of an input method cancels a composition.
  await field.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, isComposing: true, bubbles: true });
  await field.fill('umbrellas');
  await expect(panel.getByText('Nothing found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Search in chat' })).toBeFocused();
});

test('on a phone, the search in a chat leaves its field above the hit', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: '鲍勃' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, '雨伞在前台');
  await sendMessages(stage, bob, id, 120);
  const options = { viewport: { width: 390, height: 844 }, locale: 'zh-CN', colorScheme: 'dark' } as const;
  const page = await stage.open(amy, `/conversations/${id}`, { options });
  await page.locator('.chat-header').getByRole('button', { name: '“鲍勃”的操作' }).click();
  await page.getByRole('menuitem', { name: '查找聊天记录' }).click();
  await page.getByRole('searchbox', { name: '在此会话中查找' }).fill('雨伞');
  await page.getByRole('list', { name: '查找结果' }).getByRole('button').click();
  await expect(new ChatOnPage(page).message('雨伞在前台')).toBeInViewport();
  await expect(page.getByText('第 1 条，共 1 条')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: '显示结果' }).click();
  await expect(page.getByRole('list', { name: '查找结果' })).toBeVisible();
  await page.getByRole('button', { name: '关闭面板' }).click();
  await expect(page.getByRole('complementary')).toHaveCount(0);
});

test('the panel of a chat shows the peer, mutes, pins and blocks; that of a group finds members', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`);
  await page.getByRole('button', { name: 'Bob', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'Details' });
  await expect(panel.getByText(`ID: ${bob.id}`)).toBeVisible();
  await panel.getByRole('button', { name: 'Pin' }).click();
  await expect(panel.getByRole('button', { name: 'Pin' })).toHaveAttribute('aria-pressed', 'true');
  await panel.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mute for 1 day' }).click();
  await expect(panel.getByRole('button', { name: 'Mute', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await panel.getByRole('button', { name: 'Block' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Block Bob' }).click();
  await expect(panel.getByRole('button', { name: 'Unblock' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Voice call' })).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAccessibilityViolations(page)).toEqual([]);
  }
  await page.goBack();
  await expect(panel).toHaveCount(0);

  const people = await Promise.all(
    Array.from({ length: 9 }, (_, index) => stage.person({ name: `Guest ${index + 1}` })),
  );
  const body = { type: 'group', name: 'Trip', member_ids: people.map((person) => person.id) };
  const group = await stage.request(amy.id, 'POST', '/api/messages/conversations', body);
  await page.goto(`/conversations/${group.id}?side=details`);
  const members = panel.getByRole('list', { name: 'Members' }).getByRole('listitem');
  await expect(members).toHaveCount(10);
  await panel.getByRole('searchbox', { name: 'Search members' }).fill('guest 7');
  await expect(members).toHaveCount(1);
  await expect(members).toContainText(['Guest 7']);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  const transfer = panel.getByRole('button', { name: 'Transfer ownership…' });
  const dialog = page.getByRole('dialog', { name: 'Transfer ownership' });
  await transfer.click();
  await expect(dialog).toBeVisible();
  // Closes the dialog, not the panel.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(transfer).toBeFocused();
  await transfer.click();
  const newOwner = dialog.getByRole('combobox', { name: 'New owner' });
  await newOwner.fill('guest 4');
  await expect(dialog.getByRole('option')).toHaveCount(1);
  // Members of the text before disappear immediately, so that Enter chooses none of them.
  await newOwner.fill('guest 3');
  expect(await dialog.getByRole('option', { name: 'Guest 4', exact: true }).count()).toBe(0);
  await dialog.getByRole('option', { name: 'Guest 3', exact: true }).click();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Make Guest 3 the owner' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Delete group' })).toHaveCount(0);
});

test('a message is forwarded to several chats and people at once', async ({ stage }) => {
  const [amy, bob, cleo, dan] = [
    await stage.person({ name: 'Amy' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Cleo' }),
    await stage.person({ name: 'Dan' }),
  ];
  const withBob = await singleChat(stage, amy, bob);
  const withCleo = await singleChat(stage, amy, cleo);
  const page = await stage.open(amy, `/conversations/${withBob}`);
  const chat = new ChatOnPage(page);
  await chat.write('pack warm things');
  await chat.choose('pack warm things', 'Forward');
  const dialog = page.getByRole('dialog', { name: 'Forward to' });
  const field = dialog.getByRole('combobox', { name: 'Search chats and people' });
  await field.fill('cle');
  await field.press('Enter');
  await field.fill(dan.account);
  await dialog.getByRole('group', { name: 'People' }).getByRole('option', { name: 'Dan' }).click();
  const chosen = dialog.getByRole('list', { name: 'Selected' }).getByRole('listitem');
  await expect(chosen).toContainText(['Cleo', 'Dan']);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await field.press('Backspace');
  await expect(chosen).toHaveCount(1);
  await field.fill(dan.account);
  await expect(dialog.getByRole('option', { name: 'Dan' })).toBeVisible();
  await field.press('Enter');
  await expect(chosen).toContainText(['Cleo', 'Dan']);
  await dialog.getByRole('button', { name: 'Forward to 2 chats' }).click();
  await expect(dialog).toHaveCount(0);
  const chats = page.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  await expect(chats).toContainText([
    'You: pack warm things',
    'You: pack warm things',
    'You: pack warm things',
  ]);
  const { items } = await stage.request(cleo.id, 'GET', `/api/messages/conversations/${withCleo}/messages`);
  expect(items).toMatchObject([{ content: 'pack warm things', is_forwarded: true }]);
});

test('an Enter that ends an IME composition chooses no search result', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  await singleChat(stage, amy, bob);
  const page = await stage.open(amy, '/');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const field = page.getByRole('combobox', { name: 'Search chats, people and messages' });
  await field.fill('Bob');
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  // Safari sends this key after the composition has ended.
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: false, bubbles: true });
  await expect(field).toBeVisible();
});

test('the search closes when another screen opens below it', async ({ stage }) => {
  const page = await stage.open(await stage.person(), '/calls');
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Calls' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
