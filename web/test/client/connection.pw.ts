import { PLAIN_HOST } from '../../playwright.config';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';
import { CUT, type Stage } from '../support/stage';

/** Chromium's console message that origin isolation is unavailable over plain HTTP. */
const PLAIN = /Origin-Agent-Cluster/;

const textsOf = async (stage: Stage, userId: number, id: number): Promise<string[]> => {
  const { items } = await stage.request(
    userId,
    'GET',
    `/api/messages/conversations/${id}/messages?mark_read=0`,
  );
  return items.map(({ content }: { content: string }) => content).toReversed();
};

test(
  'messages sent offline are delivered once after reconnecting, also after a reload',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
    const id = await singleChat(stage, amy, bob);
    await sendMessage(stage, bob, id, 'before');
    const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: CUT });
    const chat = new ChatOnPage(page);
    await expect(chat.message('before')).toBeVisible();
    await page.context().setOffline(true);
    await chat.write('written offline');
    await chat.write('and another');
    await expect(chat.message('written offline')).toBeVisible();
    await expect(chat.message('written offline')).toContainText('Waiting for connection');
    await expect(chat.message('and another')).toContainText('Waiting for connection');
    await chat.box.fill('half a sent');
    await sendMessage(stage, bob, id, 'meanwhile');
    await page.context().setOffline(false);
    // The state is shown once, below the last message.
    await expect(chat.message('and another')).toContainText('Sent');
    await expect(chat.message('written offline')).not.toContainText(/Sent|Waiting/);
    await expect(chat.message('meanwhile')).toBeVisible();
    await expect(chat.box).toHaveValue('half a sent');
    expect(await textsOf(stage, amy.id, id)).toEqual([
      'before',
      'meanwhile',
      'written offline',
      'and another',
    ]);
    await page.reload();
    await expect(chat.message('and another')).toBeVisible();
    await expect(chat.log.getByRole('article')).toHaveCount(4);
    await expect(chat.box).toHaveValue('half a sent');
  },
);

test('a message written offline is sent after a reload at another screen', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: CUT });
  const chat = new ChatOnPage(page);
  await page.route('**/api/messages/conversations/*/messages', (route) => route.abort());
  await chat.write('written offline');
  await expect(chat.message('written offline')).toContainText('Waiting for connection');
  await page.goto('/settings');
  await expect(page.getByRole('region', { name: 'Profile' })).toBeVisible();
  expect(await textsOf(stage, bob.id, id)).toEqual([]);
  await page.unrouteAll();
  await expect.poll(() => textsOf(stage, bob.id, id)).toEqual(['written offline']);
});

test('a message written offline is sent by the next page after its tab was closed', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: CUT });
  const chat = new ChatOnPage(page);
  await expect(chat.box).toBeVisible();
  await stage.service.kill();
  await chat.write('written offline');
  await expect(chat.message('written offline')).toContainText('Waiting for connection');
  await page.close();
  await stage.service.startAgain();
  expect(await textsOf(stage, bob.id, id)).toEqual([]);
  const next = await page.context().newPage();
  await next.goto('/settings');
  await expect.poll(() => textsOf(stage, bob.id, id)).toEqual(['written offline']);
});

test('messages sent while the service restarts after a crash arrive exactly once', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const hers = new ChatOnPage(await stage.open(amy, `/conversations/${id}`, { mayLogErrors: CUT }));
  const his = new ChatOnPage(await stage.open(bob, `/conversations/${id}`, { mayLogErrors: CUT }));
  await hers.write('before');
  await expect(his.message('before')).toBeVisible();
  await stage.service.kill();
  await hers.write('while it was gone');
  await expect(hers.message('while it was gone')).toBeVisible();
  await stage.service.startAgain();
  await expect(his.message('while it was gone')).toBeVisible();
  await his.write('here again');
  await expect(hers.message('here again')).toBeVisible();
  expect(await textsOf(stage, amy.id, id)).toEqual(['before', 'while it was gone', 'here again']);
});

test('a reply to a message that was deleted meanwhile is sent without the quote by “Try again”', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const question = await sendMessage(stage, bob, id, 'how are you?');
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: /404/ });
  const chat = new ChatOnPage(page);
  await chat.choose('how are you?', 'Reply');
  await page.route(
    '**/api/messages/conversations/*/messages',
    async (route) => {
      await stage.request(amy.id, 'DELETE', `/api/messages/${question}`);
      await route.continue();
    },
    { times: 1 },
  );
  await chat.write('fine');
  const pending = chat.log.getByRole('article', { name: 'Your message, not sent yet' });
  await expect(pending).toContainText('Not sent: the message you replied to is no longer available.');
  await pending.getByRole('button', { name: 'Try again' }).click();
  await expect(chat.message('fine')).toContainText('Sent');
  await expect(pending).toHaveCount(0);
  const { items } = await stage.request(bob.id, 'GET', `/api/messages/conversations/${id}/messages`);
  const answers = (items as { content: string; reply_to: unknown }[]).filter(
    ({ content }) => content === 'fine',
  );
  expect(answers).toMatchObject([{ reply_to: null }]);
});

test('a chat that could not be marked as read is marked after reconnecting', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors: CUT });
  await expect(new ChatOnPage(page).box).toBeVisible();
  const unreadCount = async (): Promise<number> =>
    (await stage.request(amy.id, 'GET', `/api/messages/conversations/${id}`)).unread_count;
  const path = `**/api/messages/conversations/${id}/read`;
  const hasFailed = page.waitForResponse((response) => response.url().endsWith('/read'));
  const failure = { code: 500, message: '服务器内部错误', data: null };
  await page.route(path, (route) => route.fulfill({ status: 500, json: failure }));
  await sendMessage(stage, bob, id, 'seen by Amy');
  await hasFailed;
  await expect(new ChatOnPage(page).message('seen by Amy')).toBeVisible();
  expect(await unreadCount()).toBe(1);
  await stage.service.kill();
  await page.unroute(path);
  await stage.service.startAgain();
  await expect.poll(unreadCount).toBe(0);
});

test('chats work over plain HTTP on a local network', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const origin = stage.service.url.replace('127.0.0.1', PLAIN_HOST);
  const hers = new ChatOnPage(await stage.open(amy, `/conversations/${id}`, { origin, mayLogErrors: PLAIN }));
  const his = new ChatOnPage(await stage.open(bob, `/conversations/${id}`));
  await hers.write('from a plain page');
  await expect(his.message('from a plain page')).toBeVisible();
  await his.write('got it');
  await expect(hers.message('got it')).toBeVisible();
});

test('a member removed from a group while offline is notified after reconnecting', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const group = { type: 'group', name: 'Team', member_ids: [bob.id] };
  const { id } = await stage.request(amy.id, 'POST', '/api/messages/conversations', group);
  const page = await stage.open(bob, `/conversations/${id}`, { mayLogErrors: CUT });
  const chat = new ChatOnPage(page);
  await expect(chat.box).toBeVisible();
  await page.context().setOffline(true);
  await stage.request(amy.id, 'DELETE', `/api/messages/conversations/${id}/members/${bob.id}`);
  // The open event stream survives the simulated outage, so the page receives the event and its request fails.
  await expect(page.getByText('The service cannot be reached')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('This chat doesn’t exist, or you’re no longer in it.')).toBeVisible();
});

test('a chat that failed to load appears as soon as the service responds again', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'still here');
  // A hidden chat is not in the list and is requested separately.
  await stage.request(amy.id, 'PUT', `/api/messages/conversations/${id}/settings`, { hidden: true });
  const page = await stage.open(amy, '/', { mayLogErrors: CUT });
  let isBusy = true;
  const busy = { code: 503, message: '服务暂不可用', data: null };
  await page.route(`**/api/messages/conversations/${id}`, (route) =>
    isBusy ? route.fulfill({ status: 503, json: busy }) : route.continue(),
  );
  await page.goto(`/conversations/${id}`);
  await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible();
  isBusy = false;
  await expect(new ChatOnPage(page).message('still here')).toBeVisible();
});

test("a gateway's 500 shows an error with a retry button instead of loading forever", async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'still here');
  const page = await stage.emptyTab(amy, { mayLogErrors: /500/ });
  await page.addInitScript(() =>
    document.addEventListener('click', () => Object.assign(globalThis, { isClicked: true }), {
      capture: true,
    }),
  );
  // A page that is navigating away cannot be evaluated; it was not clicked since the navigation.
  const isClicked = () => page.evaluate(() => 'isClicked' in globalThis).catch(() => false);
  // Fails all requests before the click, so that later ones are caused by the retry.
  let answer = { body: '<h1>Internal Server Error</h1>', contentType: 'text/html' };
  await page.route(/\/api\/(messages|notifications|auth\/sessions)/, async (route) => {
    if (await isClicked()) await route.continue();
    else await route.fulfill({ status: 500, ...answer });
  });
  const row = page.getByRole('main').getByRole('list').getByRole('link', { name: 'Bob' });
  for (const [path, expected] of [
    ['/', row],
    ['/contacts', row],
    [`/conversations/${id}`, page.getByRole('article').filter({ hasText: 'still here' })],
    ['/notifications', page.getByText('No notifications yet.')],
    ['/settings', page.getByText('This device')],
  ] as const) {
    await page.goto(path);
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await expect(retry.last()).toBeVisible();
    await expect(page.getByRole('main').getByText('Loading…')).toHaveCount(0);
    await retry.last().click();
    // A request that was sent before the click can fail after it. The button is then shown again.
    const clickAgain = () => retry.evaluateAll((buttons: HTMLElement[]) => buttons.at(-1)?.click());
    await page.addLocatorHandler(retry.last(), clickAgain, { noWaitAfter: true });
    await expect(expected.first()).toBeVisible();
    await page.removeLocatorHandler(retry.last());
    // Unlike a gateway's, the service's own 500 is permanent.
    answer = {
      body: JSON.stringify({ code: 500, message: '服务器内部错误', data: null }),
      contentType: 'application/json',
    };
  }
});
