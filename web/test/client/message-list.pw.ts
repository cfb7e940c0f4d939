import type { Locator, Page } from '@playwright/test';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { insertMessages, MESSAGE_COUNT } from '../support/insert-messages';
import { expect, test } from '../support/journey';

/* Message list: runs of one sender, the bar of a message, touch, days, Markdown. */

/** Height of a message of one line within a run, in pixels. */
const heightOf = (message: Locator): Promise<number> =>
  message.evaluate((element) => element.getBoundingClientRect().height);

test('messages of one sender form a compact run, with the state once below the last own one', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const { id } = await stage.request(amy.id, 'POST', '/api/messages/conversations', {
    type: 'group',
    name: 'Trip',
    member_ids: [bob.id],
  });
  for (const text of ['one', 'two', 'three']) await sendMessage(stage, bob, id, text);
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  for (const text of ['four', 'five']) await chat.write(text);
  await expect(chat.message('five')).toContainText('Read by 0 of 1');
  await expect(chat.message('four')).not.toContainText(/Read|Sent/);

  // Name and picture are shown once in a run, and the time is on the line of the text.
  await expect(chat.message('one').getByText('Bob', { exact: true })).toBeVisible();
  await expect(chat.message('two').getByText('Bob', { exact: true })).toHaveCount(0);
  expect(await heightOf(chat.message('two'))).toBeLessThanOrEqual(36);
  const text = await chat.message('two').locator('.said').boundingBox();
  const time = await chat.message('two').locator('time').boundingBox();
  expect(time?.x).toBeGreaterThan((text?.x ?? 0) + 1);
  expect(time?.y).toBeLessThan((text?.y ?? 0) + (text?.height ?? 0));

  // A colour belongs to the id, so that a new name does not change it.
  const colour = () =>
    chat
      .message('one')
      .locator('.picture')
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const before = await colour();
  await stage.requestAsAdmin('PUT', `/api/admin/users/${bob.id}`, { name: 'Robert Quincy' });
  await page.reload();
  await expect(chat.message('one')).toContainText('Robert Quincy');
  expect(await colour()).toBe(before);
});

test('the bar of a message reacts and replies', { tag: '@smoke' }, async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'hello');
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const button = (name: string) => chat.message('hello').getByRole('button', { name, exact: true });
  await expect(chat.message('hello')).toBeVisible();
  // A screen reader clicks without the pointer and the focus.
  await button('Message actions').dispatchEvent('click');
  await expect(page.getByRole('menuitem', { name: 'Forward' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(chat.message('hello').locator('.message-tools')).toHaveCSS('opacity', '0');
  await chat.message('hello').hover();
  await expect(chat.message('hello').locator('.message-tools')).toHaveCSS('opacity', '1');
  await button('React').click();
  await page.getByRole('menuitem', { name: '🙏' }).click();
  await expect(button('🙏, 1')).toHaveAttribute('aria-pressed', 'true');
  await button('Reply').click();
  await expect(page.getByText('Replying to Bob')).toBeVisible();
});

/**
 * Touches an element and moves the finger to the right; then waits for `held` and lifts the finger. The page's clock
 * must be paused: otherwise a slow swipe becomes a long press.
 */
async function touch(page: Page, element: Locator, right: number, held: () => Promise<void>): Promise<void> {
  const input = await page.context().newCDPSession(page);
  const box = await element.boundingBox();
  if (box === null) throw new Error('Nothing to touch');
  const [x, y] = [box.x + 20, box.y + box.height / 2];
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let moved = 0; moved < right; moved += 10)
    await input.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: x + moved + 10, y }],
    });
  await held();
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('on a phone a swipe replies, and a long press opens the menu', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'hello');
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await stage.open(amy, `/conversations/${id}`, { options });
  const chat = new ChatOnPage(page);
  const message = chat.message('hello');
  await expect(message).toBeVisible();
  const bubble = message.locator('.bubble');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);

  // A short swipe does nothing.
  await touch(page, bubble, 30, () => expect(message).toHaveAttribute('style', /--swipe: 30px/));
  await expect(message).not.toHaveAttribute('style', /--swipe/);
  await expect(page.getByText('Replying to Bob')).toHaveCount(0);
  await touch(page, bubble, 80, () => expect(message).toHaveAttribute('style', /--swipe: 72px/));
  await expect(page.getByText('Replying to Bob')).toBeVisible();

  await touch(page, bubble, 0, async () => {
    await page.clock.fastForward(450);
    await expect(message).toHaveAttribute('data-pressed');
  });
  await page.clock.resume();
  await page.getByRole('menuitem', { name: '👍' }).click();
  await expect(message.getByRole('button', { name: '👍, 1' })).toBeVisible();
});

test('a day is found in 20,000 messages without reading them', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  insertMessages(stage.service.databaseUrl, id, [amy.id, bob.id]);
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  await expect(chat.message(`message ${MESSAGE_COUNT}`).first()).toBeVisible();
  const pages: string[] = [];
  page.on('request', (request) => {
    if (/messages\?page=/.test(request.url())) pages.push(request.url());
  });
  await page.locator('.chat-header').getByRole('button', { name: 'Actions for Bob' }).click();
  await page.getByRole('menuitem', { name: 'Jump to date' }).click();
  const first = await stage.request(
    amy.id,
    'GET',
    `/api/messages/conversations/${id}/messages?mark_read=0&per_page=100&page=120`,
  );
  const wanted = first.items.at(-1);
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(
    Date.parse(wanted.sent_at),
  );
  await page.getByLabel('Day').fill(day);
  await page.getByRole('button', { name: 'Jump', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(chat.log.locator(`time[datetime="${day}"]`)).toBeInViewport();
  await expect(chat.log.locator('article:focus')).toBeInViewport();
  expect(pages.length).toBeLessThanOrEqual(12);
});

test('closing the dialog stops the search for a day', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`);
  const pages = /messages\?page=/;
  await page.route(pages, () => undefined);
  await page.locator('.chat-header').getByRole('button', { name: 'Actions for Bob' }).click();
  await page.getByRole('menuitem', { name: 'Jump to date' }).click();
  const request = page.waitForRequest(pages);
  await page.getByRole('button', { name: 'Jump', exact: true }).click();
  await request;
  const end = page.waitForEvent('requestfailed', (failed) => pages.test(failed.url()));
  await page.keyboard.press('Escape');
  await end;
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Markdown is shown as bold, italic, code and links, and stays text in the message', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const text =
    'A **bold** and *slanted* `word` in [a page](https://example.com/)\n```\nif (a) <b>c</b>\n```\n<img src=x onerror=alert(1)>';
  await chat.write(text);
  const message = chat.message('A bold');
  await expect(message).toContainText('Sent');
  await expect(message.locator('strong')).toHaveText('bold');
  await expect(message.locator('em')).toHaveText('slanted');
  await expect(message.locator('p code')).toHaveText('word');
  await expect(message.locator('pre')).toHaveText('if (a) <b>c</b>');
  await expect(message.getByRole('link', { name: 'a page' })).toHaveAttribute('href', 'https://example.com/');
  await expect(message).toContainText('<img src=x onerror=alert(1)>');
  await expect(message.locator('img')).toHaveCount(0);
  const { items } = await stage.request(
    bob.id,
    'GET',
    `/api/messages/conversations/${id}/messages?mark_read=0`,
  );
  expect(items[0].content).toBe(text);
});
