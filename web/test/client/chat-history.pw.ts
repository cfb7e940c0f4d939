import type { Page } from '@playwright/test';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';
import { insertMessages, MESSAGE_COUNT } from '../support/insert-messages';

/** Positions of the visible messages, and their movements that were not caused by the mouse wheel. */
interface Watch {
  /** Movements of visible rows between two frames, in pixels. */
  moves: number[];
  /** Movements of rows relative to each other, in pixels per frame. */
  jumps: number[];
  positions: Map<string, number>;
}

/** Records in each frame how far the visible rows have moved. */
async function watchForJumps(page: Page): Promise<void> {
  await page.evaluate(() => {
    const log = document.querySelector<HTMLElement>('[role=log]');
    if (log === null) throw new Error('No history');
    const watch: Watch = { moves: [], jumps: [], positions: new Map() };
    Object.assign(globalThis, { watch });
    const look = (): void => {
      const now = new Map<string, number>();
      const { top, bottom } = log.getBoundingClientRect();
      for (const row of log.querySelectorAll<HTMLElement>('[data-key]')) {
        const at = row.getBoundingClientRect();
        // The bottom is used because the first row loses its top margin when a row is inserted before it.
        if (at.bottom > top && at.top < bottom) now.set(row.dataset.key ?? '', at.bottom);
      }
      const moved = [...now].flatMap(([key, at]) => {
        const before = watch.positions.get(key);
        return before === undefined ? [] : [Math.round(at - before)];
      });
      // All visible rows must move by the same distance; a difference is a jump.
      watch.jumps.push(moved.length === 0 ? 0 : Math.max(...moved) - Math.min(...moved));
      watch.moves.push(...moved);
      watch.positions = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

const jumpsOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(...(globalThis as unknown as { watch: Watch }).watch.jumps));

/** Returns the distinct distances by which visible rows have moved. */
const movesOf = (page: Page): Promise<number[]> =>
  page.evaluate(() => [...new Set((globalThis as unknown as { watch: Watch }).watch.moves)]);

/** Scrolls and waits until it is rendered. */
const scrollBy = (page: Page, pixels: number): Promise<void> =>
  page.evaluate(async (by) => {
    document.querySelector('[role=log]')?.scrollBy(0, by);
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  }, pixels);

/**
 * Returns the number of the first visible message. Only five digits are parsed, because the time of day follows
 * directly.
 */
const firstSeen = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const log = document.querySelector('[role=log]');
    const top = log?.getBoundingClientRect().top ?? 0;
    const seen = [...(log?.querySelectorAll('article') ?? [])].find(
      (row) => row.getBoundingClientRect().bottom > top,
    );
    return Number(/message (\d{5})/.exec(seen?.textContent ?? '')?.[1] ?? 0);
  });

test('20,000 messages: older ones are inserted without moving the visible ones, while scrolling both ways', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  insertMessages(stage.service.databaseUrl, id, [amy.id, bob.id]);
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  await expect(chat.message(`message ${MESSAGE_COUNT}`).first()).toBeVisible();

  // Visible rows do not move by a single pixel while older messages are inserted above them.
  const older = /messages\?before_id=/;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(older, async (route) => {
    await held;
    await route.continue();
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (older.test(request.url())) asked.push(request.url());
  });
  while (asked.length === 0) await scrollBy(page, -100);
  const seen = await firstSeen(page);
  const anchor = chat.log
    .getByRole('article')
    .filter({ hasText: `message ${seen + 2}` })
    .first();
  const before = (await anchor.boundingBox())?.y;
  const height = () => page.evaluate(() => document.querySelector('[role=log]')?.scrollHeight ?? 0);
  const heightBefore = await height();
  await watchForJumps(page);
  release();
  await expect.poll(height).toBeGreaterThan(heightBefore + 1_000);
  expect(await movesOf(page)).toEqual([0]);
  expect((await anchor.boundingBox())?.y).toBe(before);
  await page.unroute(older);

  // The same at the top of the loaded history, except for the top margin that the first row loses.
  const again = Promise.withResolvers<void>();
  await page.route(older, async (route) => {
    await again.promise;
    await route.continue();
  });
  await scrollBy(page, -100_000);
  const third = chat.message(`message ${(await firstSeen(page)) + 2}`).first();
  const thirdBefore = (await third.boundingBox())?.y ?? 0;
  const topHeight = await height();
  again.resolve();
  await expect.poll(height).toBeGreaterThan(topHeight + 1_000);
  expect(Math.abs(((await third.boundingBox())?.y ?? 0) - thirdBefore)).toBeLessThanOrEqual(8);
  await page.unroute(older);

  // Scrolls through hundreds of messages page by page: rows do not move relative to each other, except for that margin.
  await chat.log.hover();
  while ((await firstSeen(page)) > MESSAGE_COUNT - 700) await page.mouse.wheel(0, -1_500);
  expect(await jumpsOf(page)).toBeLessThanOrEqual(8);
  expect(await chat.log.getByRole('article').count()).toBeLessThanOrEqual(60);

  // Scrolls down again, through messages that were removed from the document.
  const turn = await firstSeen(page);
  while ((await firstSeen(page)) < turn + 600) await page.mouse.wheel(0, 1_500);
  expect(await jumpsOf(page)).toBeLessThanOrEqual(8);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(chat.message(`message ${MESSAGE_COUNT}`).first()).toBeVisible();
  await sendMessage(stage, bob, id, 'and one more');
  await expect(chat.message('and one more')).toBeVisible();
});

test('the divider is at the stored read position, however far back; only visible messages are marked as read', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  for (let number = 1; number <= 130; number += 1) await sendMessage(stage, bob, id, `number ${number}.`);
  const messages = await stage.request(
    amy.id,
    'GET',
    `/api/messages/conversations/${id}/messages?mark_read=0&per_page=100`,
  );
  const tenth = messages.items.at(-1).id - 20;
  await stage.request(amy.id, 'POST', `/api/messages/conversations/${id}/read`, { message_id: tenth });
  const unread = async () =>
    (await stage.request(amy.id, 'GET', `/api/messages/conversations/${id}`)).unread_count;
  expect(await unread()).toBe(119);

  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const divider = chat.log.getByText('Unread messages');
  await expect(divider).toBeInViewport();
  await expect(chat.message('number 12.')).toBeInViewport();
  const below = await divider.evaluate(
    (element) => element.closest('.row')?.nextElementSibling?.querySelector('article')?.textContent,
  );
  expect(below).toContain('number 12.');
  // Nothing is read yet, because the end of the first message has not been visible.
  expect(await unread()).toBe(119);
  const newest = page.getByRole('button', { name: 'Jump to latest, 119 new' });
  await newest.click();
  await expect(chat.message('number 130.')).toBeInViewport();
  await expect.poll(unread).toBe(0);

  // The divider stays while the user scrolls, and a button leads back to it.
  await page.getByRole('button', { name: 'Jump to first unread' }).click();
  await expect(divider).toBeInViewport();

  // While the user is further up, new messages are counted but not marked as read.
  await sendMessage(stage, bob, id, 'new one');
  await expect(page.getByRole('button', { name: 'Jump to latest, 1 new' })).toBeVisible();
  expect(await unread()).toBe(1);

  // Messages that were read on another device are not unread here.
  await stage.request(amy.id, 'POST', `/api/messages/conversations/${id}/read`, {});
  await page.reload();
  await expect(chat.message('new one')).toBeInViewport();
  await expect(divider).toHaveCount(0);
});

test('a hidden page marks nothing as read', { tag: '@smoke' }, async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'one');
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const unread = async () =>
    (await stage.request(amy.id, 'GET', `/api/messages/conversations/${id}`)).unread_count;
  await expect.poll(unread).toBe(0);
  const setVisibility = (state: string): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await setVisibility('hidden');
  await sendMessage(stage, bob, id, 'two');
  await expect(chat.message('two')).toBeVisible();
  await expect(chat.log.getByText('Unread messages')).toBeVisible();
  expect(await unread()).toBe(1);
  await setVisibility('visible');
  await expect.poll(unread).toBe(0);
});

/** Where heights are fractions of a pixel, a fraction of a pixel may be cut off. */
const ALMOST_ALL = 0.95;

/** Opens an empty chat with Bob on Amy's phone. */
async function emptyChatOnPhone(stage: Stage) {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`, {
    options: { viewport: { width: 390, height: 844 } },
  });
  const chat = new ChatOnPage(page);
  const toNewest = page.getByRole('button', { name: /^Jump to latest/ });
  await expect(chat.log).toContainText('No messages yet');
  await expect(toNewest).toHaveCount(0);
  const unread = async () =>
    (await stage.request(amy.id, 'GET', `/api/messages/conversations/${id}`)).unread_count;
  return { page, chat, toNewest, unread, hear: (text: string) => sendMessage(stage, bob, id, text) };
}

test('new messages at the end appear without a divider, also above the keyboard of a phone', async ({
  stage,
}) => {
  const { page, chat, toNewest, unread, hear } = await emptyChatOnPhone(stage);
  for (let number = 1; number <= 15; number += 1) {
    await hear(`number ${number}.`);
    await expect(chat.message(`number ${number}.`)).toBeInViewport();
    await expect(chat.log.getByText('Unread messages')).toHaveCount(0);
  }
  await expect.poll(unread).toBe(0);
  await page.setViewportSize({ width: 390, height: 480 });
  await expect(chat.message('number 15.')).toBeInViewport({ ratio: 1 });
  await hear('number 16.');
  await expect(chat.message('number 16.')).toBeInViewport({ ratio: 1 });
  await expect(chat.log.getByText('Unread messages')).toHaveCount(0);
  await expect(toNewest).toHaveCount(0);
});

test('the newest message stays visible when the reply bar, the edit bar or a long draft shrinks the history', async ({
  stage,
}) => {
  const { page, chat, toNewest, hear } = await emptyChatOnPhone(stage);
  const distance = () =>
    chat.log.evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight));
  for (let number = 1; number <= 25; number += 1) await hear(`number ${number}.`);
  const newest = chat.message('number 25.');
  await page.setViewportSize({ width: 390, height: 480 });
  await expect(newest).toBeInViewport({ ratio: 1 });
  await chat.choose('number 25.', 'Reply');
  await expect(page.getByText('Replying to Bob')).toBeVisible();
  await expect(newest).toBeInViewport({ ratio: 1 });
  await chat.box.fill('a long draft\n'.repeat(6));
  await expect(newest).toBeInViewport({ ratio: 1 });
  await expect(toNewest).toHaveCount(0);
  await hear('number 26.');
  await expect(chat.message('number 26.')).toBeInViewport({ ratio: 1 });
  await chat.box.fill('');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await chat.write('my own text');
  await chat.choose('my own text', 'Edit');
  await expect(page.getByText('Edit message', { exact: true })).toBeVisible();
  await expect(chat.message('my own text')).toBeInViewport({ ratio: ALMOST_ALL });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  // Messages that arrive in the frame in which the composer grows.
  for (let number = 27; number <= 31; number += 1) {
    await Promise.all([chat.box.fill('a long draft\n'.repeat(6)), hear(`number ${number}.`)]);
    await expect(chat.message(`number ${number}.`)).toBeInViewport({ ratio: ALMOST_ALL });
    await chat.box.fill('');
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(chat.message('number 31.')).toBeInViewport({ ratio: ALMOST_ALL });

  // When scrolled up, the last visible message stays above the keyboard as well.
  await scrollBy(page, -400);
  await expect(toNewest).toBeVisible();
  const before = await distance();
  await page.setViewportSize({ width: 390, height: 480 });
  await expect.poll(() => chat.log.evaluate((log) => log.clientHeight)).toBeLessThan(400);
  await expect.poll(distance).toBe(before);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => chat.log.evaluate((log) => log.clientHeight)).toBeGreaterThan(400);
  await expect.poll(distance).toBe(before);
});
