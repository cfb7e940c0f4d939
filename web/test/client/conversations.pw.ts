import type { Locator, Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

const list = (page: Page): Locator => page.getByRole('list', { name: 'Chats' }).getByRole('listitem');

async function chooseFor(page: Page, name: string, action: string): Promise<void> {
  const row = list(page).filter({ hasText: name });
  await row.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test(
  'the list keeps its order and unread counts; chats are pinned, muted and hidden',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [amy, bob, cleo] = [
      await stage.person({ name: 'Amy' }),
      await stage.person({ name: 'Bob' }),
      await stage.person({ name: 'Cleo' }),
    ];
    const [withBob, withCleo] = [await singleChat(stage, amy, bob), await singleChat(stage, amy, cleo)];
    const page = await stage.open(amy, '/');
    await expect(page.getByText('Select a chat, or start a new one.')).toBeVisible();
    await sendMessage(stage, cleo, withCleo, 'older');
    await sendMessage(stage, bob, withBob, 'newer');
    await expect(list(page)).toContainText(['newer', 'older']);
    await expect(list(page).first()).toContainText('1 unread');

    await chooseFor(page, 'Cleo', 'Pin');
    await expect(list(page)).toContainText(['Pinned', 'newer']);
    await chooseFor(page, 'Bob', 'Mute…');
    const mutedAt = Date.now();
    await page.getByRole('dialog').getByRole('button', { name: 'Mute for 1 hour' }).click();
    await expect(list(page).last()).toContainText('Muted');
    await expect(list(page).last().getByRole('button', { name: 'Actions for Bob' })).toBeFocused();
    const { muted, mute_until } = await stage.request(
      amy.id,
      'GET',
      `/api/messages/conversations/${withBob}`,
    );
    expect([muted, Date.parse(mute_until) > mutedAt + 3_500_000]).toEqual([true, true]);

    await chooseFor(page, 'Cleo', 'Mark as read');
    await expect(list(page).first()).not.toContainText('unread');
    await chooseFor(page, 'Cleo', 'Hide');
    await expect(list(page)).toHaveCount(1);
    await page.getByRole('link', { name: 'Hidden chats' }).click();
    await page.getByRole('button', { name: 'Unhide' }).click();
    await expect(page.getByText('No hidden chats.')).toBeVisible();
    await page.getByRole('link', { name: 'All chats' }).click();
    await expect(list(page)).toHaveCount(2);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }
  },
);

test('an open menu keeps its items, so that none moves below the pointer', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const chat = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, chat, 'hello');
  const page = await stage.open(amy, '/');
  const items = page.getByRole('menuitem');
  await list(page).getByRole('button', { name: 'Actions for Bob' }).click();
  await expect(items).toHaveText(['Pin', 'Mute…', 'Mark as read', 'Hide']);
  await stage.request(amy.id, 'POST', `/api/messages/conversations/${chat}/read`, {});
  await expect(list(page).getByText('1 unread')).toHaveCount(0);
  await expect(items).toHaveText(['Pin', 'Mute…', 'Mark as read', 'Hide']);
});

test('a chat is started with a user found by search', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const page = await stage.open(amy, '/');
  await expect(page.getByText(`Search for people by account name. Yours is ${amy.account}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Start a chat' }).click();
  const dialog = page.getByRole('dialog', { name: 'New chat' });
  const field = dialog.getByRole('combobox', { name: 'Search people' });
  await field.fill('nobody-of-that-name');
  await expect(dialog.getByText('No one found.')).toBeVisible();
  await field.fill(bob.account);
  await expect(dialog.getByRole('option', { name: 'Bob' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await field.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Bob' })).toBeVisible();
  const chat = new ChatOnPage(page);
  await chat.write('hello Bob');
  await expect(list(page)).toContainText(['You: hello Bob']);
  const his = await stage.open(bob, '/');
  await expect(list(his)).toContainText(['hello Bob']);
  // Amy is online, and Bob sees it.
  await expect(list(his).first()).toContainText('Online');
});

test('service texts are in the language of the page, live and after a reload', async ({ stage }) => {
  const [amy, bob, cleo] = [
    await stage.person({ name: 'Amy' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Cleo' }),
  ];
  const single = await singleChat(stage, amy, bob);
  const withCleo = await singleChat(stage, amy, cleo);
  const conversations = '/api/messages/conversations';
  const made = { type: 'group', name: 'Trip', member_ids: [bob.id] };
  const { id: group } = await stage.request(amy.id, 'POST', conversations, made);
  const pages = [await stage.open(amy, '/'), await stage.open(bob, '/')] as const;
  await expect(list(pages[0])).toHaveCount(3);
  await expect(list(pages[1])).toHaveCount(2);

  const recalled = await sendMessage(stage, amy, single, 'wrong');
  await stage.request(amy.id, 'POST', `/api/messages/${recalled}/recall`);
  await sendMessage(stage, amy, withCleo, { type: 'image', content: 'https://files.test/a.png' });
  await stage.request(amy.id, 'PUT', `${conversations}/${group}`, { name: 'Tour' });
  const check = async (): Promise<void> => {
    await expect(list(pages[0])).toContainText([
      'Amy renamed the group to “Tour”',
      'You: [Photo]',
      'You recalled a message',
    ]);
    await expect(list(pages[1])).toContainText(['Amy renamed the group to “Tour”', 'Amy recalled a message']);
  };
  await check();
  for (const page of pages) await page.reload();
  await check();

  await stage.request(amy.id, 'POST', `${conversations}/${group}/members`, { user_ids: [cleo.id] });
  const call = { callee_id: cleo.id, media_type: 'video' };
  const { call_id: id } = await stage.request(amy.id, 'POST', '/api/calls', call);
  await stage.request(amy.id, 'POST', `/api/calls/${id}/cancel`, {});
  await expect(list(pages[0])).toContainText([
    'Video call · Cancelled',
    'Amy added Cleo',
    'You recalled a message',
  ]);
});

test('chat partners are offered first: for a chat, a group, its members and a forwarded message', async ({
  stage,
}) => {
  const [amy, bob, cleo, dan] = [
    await stage.person({ name: 'Amy' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Cleo' }),
    await stage.person({ name: 'Dan' }),
  ];
  for (const friend of [bob, cleo]) await singleChat(stage, amy, friend);
  const page = await stage.open(amy, '/?new=1');
  const dialog = page.getByRole('dialog').first();
  const field = dialog.getByRole('combobox', { name: /^Search/ });
  const known = dialog.getByRole('group', { name: 'Your chats' }).getByRole('option');
  const found = dialog.getByRole('group', { name: 'People' });
  await expect(known).toContainText(['Cleo', 'Bob']);
  await field.fill('cle');
  await expect(known).toHaveCount(1);
  // A known user found by account is listed only under the existing chats, not again under people.
  await field.fill(cleo.account);
  await expect(known).toContainText(['Cleo']);
  await expect(found).toHaveCount(0);
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Group' }).click();
  await dialog.getByLabel('Group name').fill('Trip');
  await known.filter({ hasText: 'Bob' }).click();
  await dialog.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('button', { name: 'Members: 2' }).click();
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.getByRole('button', { name: 'Add members' }).click();
  await known.filter({ hasText: 'Cleo' }).click();
  await dialog.getByRole('button', { name: 'Add 1 person' }).click();
  await expect(panel.getByRole('list', { name: 'Members' })).toContainText('Cleo');
  await panel.getByRole('button', { name: 'Close panel' }).click();

  const chat = new ChatOnPage(page);
  await chat.write('pack warm things');
  await chat.choose('pack warm things', 'Forward');
  await expect(known).toContainText(['Trip', 'Cleo', 'Bob']);
  await field.fill(dan.account);
  await found.getByRole('option', { name: 'Dan' }).click();
  await dialog.getByRole('button', { name: 'Forward to 1 chat' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Dan' })).toBeVisible();
  await expect(chat.message('pack warm things')).toContainText('Forwarded');
});

test('a group is created, renamed, changes its members, gets a new owner and is left', async ({ stage }) => {
  const [amy, bob, cleo] = [
    await stage.person({ name: 'Amy' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Cleo' }),
  ];
  // Requests for the group that are pending when Amy leaves are answered with 403.
  const page = await stage.open(amy, '/?new=1', { mayLogErrors: /status of 403/ });
  const dialog = page.getByRole('dialog', { name: 'New chat' });
  await dialog.getByRole('button', { name: 'Group' }).click();
  await dialog.getByLabel('Group name').fill('Trip');
  await dialog.getByRole('combobox', { name: 'Search people' }).fill(bob.account);
  await dialog.getByRole('option', { name: 'Bob' }).click();
  await expect(dialog.getByRole('list', { name: 'Selected' })).toContainText('Bob');
  await dialog.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Trip' })).toBeVisible();
  const chat = new ChatOnPage(page);
  const his = await stage.open(bob, '/');
  await expect(list(his)).toContainText(['Trip']);

  await page.getByRole('button', { name: 'Members: 2' }).click();
  const members = page.getByRole('complementary', { name: 'Details' });
  await expect(members.getByRole('list', { name: 'Members' })).toContainText('Owner');
  await members.getByLabel('Group name').fill('Longer trip');
  await members.getByRole('button', { name: 'Rename' }).click();
  await expect(list(his)).toContainText(['Longer trip']);
  await members.getByRole('button', { name: 'Add members' }).click();
  const adding = page.getByRole('dialog', { name: 'Add members' });
  await adding.getByRole('combobox', { name: 'Search people' }).fill(cleo.account);
  await adding.getByRole('option', { name: 'Cleo' }).click();
  await adding.getByRole('button', { name: 'Add 1 person' }).click();
  await expect(members.getByRole('list', { name: 'Members' })).toContainText('Cleo');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await members.getByRole('button', { name: 'Actions for member Cleo' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove Cleo' });
  await expect(removing).toContainText('Cleo will lose all messages of this group, even after rejoining.');
  await removing.getByRole('button', { name: 'Remove Cleo' }).click();
  await expect(members.getByRole('list', { name: 'Members' })).not.toContainText('Cleo');
  await members.getByRole('button', { name: 'Actions for member Bob' }).click();
  await page.getByRole('menuitem', { name: 'Make owner' }).click();
  await page.getByRole('dialog', { name: 'Make owner' }).getByRole('button', { name: 'Make owner' }).click();
  await expect(members.getByRole('button', { name: 'Delete group' })).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Make owner' })).toBeHidden();
  await members.getByRole('button', { name: 'Close panel' }).click();
  await expect(chat.log.getByText('Amy renamed the group to “Longer trip”')).toBeVisible();
  await expect(chat.log.getByText('Amy added Cleo')).toBeVisible();
  await expect(chat.log.getByText('Amy removed Cleo')).toBeVisible();

  await page.getByRole('button', { name: 'Members: 2' }).click();
  await page.getByRole('button', { name: 'Leave group' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave group' });
  await expect(leaving).toContainText(
    'You’ll lose all messages of this group, even if you rejoin. Only the owner can add you again.',
  );
  await leaving.getByRole('button', { name: 'Leave group' }).click();
  await expect(page.getByText('No chats yet.')).toBeVisible();
  await expect(list(his)).toHaveCount(1);
});

test('a chat is muted for an hour of the service’s clock, even if the browser’s clock is wrong', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, '/');
  await page.context().addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() - 3 * 86_400_000;
  });
  await page.reload();
  await expect(list(page)).toHaveCount(1);
  await sendMessage(stage, bob, id, 'what the time is tells');
  await expect(list(page).last()).toContainText('what the time is tells');
  await chooseFor(page, 'Bob', 'Mute…');
  await page.getByRole('dialog').getByRole('button', { name: 'Mute for 1 hour' }).click();
  await expect(list(page).last()).toContainText('Muted');
});

test('a list of more than 100 chats renders the visible ones, and scrolls to the last', async ({ stage }) => {
  const amy = await stage.person({ name: 'Amy' });
  const bob = await stage.person({ name: 'Bob' });
  for (let n = 1; n <= 110; n += 1) {
    const body = { type: 'group', name: `Group ${n}`, member_ids: [bob.id] };
    await stage.request(amy.id, 'POST', '/api/messages/conversations', body);
  }
  const page = await stage.open(amy, '/');
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(list(page)).toHaveCount(50);
  await more.click();
  await expect(list(page)).toHaveCount(100);
  await more.click();
  await expect(list(page).first()).toHaveAttribute('aria-setsize', '110');
  await expect.poll(() => list(page).count()).toBeLessThan(60);
  await page.getByRole('link', { name: 'Hidden chats' }).scrollIntoViewIfNeeded();
  const last = list(page).and(page.locator('[aria-posinset="110"]'));
  await expect(last).toContainText('Group 1');
  await last.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 2, name: 'Group 1', exact: true })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
});
