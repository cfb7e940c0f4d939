import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';
import type { Person, Stage } from '../support/stage';

/* Composer: files, voice messages, emoji, marks. */

const pngOf = (colour: string): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: colour } })
    .png()
    .toBuffer();

const fileOf = async (name: string, colour = 'red') => ({
  name,
  mimeType: 'image/png',
  buffer: await pngOf(colour),
});

/** Opens a chat of Amy with Bob. */
async function openChat(stage: Stage, mayLogErrors?: RegExp) {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const page = await stage.open(amy, `/conversations/${id}`, { mayLogErrors });
  const chat = new ChatOnPage(page);
  await expect(chat.log).toContainText('No messages yet');
  return { amy, bob, id, page, chat };
}

/** Returns the messages that Bob has received, oldest first. */
async function receivedBy(stage: Stage, bob: Person, id: number) {
  const { items } = await stage.request(
    bob.id,
    'GET',
    `/api/messages/conversations/${id}/messages?mark_read=0`,
  );
  return items.toReversed();
}

const attach = (page: Page, files: Awaited<ReturnType<typeof fileOf>>[]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(files);

const tray = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');

/** Pastes or drops pictures, as a browser does. */
async function transfer(page: Page, type: 'paste' | 'drop', target: string, names: string[]): Promise<void> {
  const bytes = [...(await pngOf('blue'))];
  await page.evaluate(
    ([kind, selector, content, all]) => {
      const data = new DataTransfer();
      for (const name of all)
        data.items.add(new File([new Uint8Array(content)], name, { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      const event =
        kind === 'paste'
          ? new ClipboardEvent(kind, { ...options, clipboardData: data })
          : new DragEvent(kind, { ...options, dataTransfer: data });
      document.querySelector(selector)?.dispatchEvent(event);
    },
    [type, target, bytes, names] as const,
  );
}

test(
  'a picture with a text is sent by the button; several are pasted and dropped as an album',
  { tag: '@smoke' },
  async ({ stage }) => {
    const { bob, id, page, chat } = await openChat(stage);
    await page.getByRole('button', { name: 'Attach files' }).focus();
    await attach(page, [await fileOf('holiday.png')]);
    await expect(tray(page).getByRole('img', { name: 'holiday.png' })).toBeVisible();
    await chat.box.fill('look at this');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await chat.box.press('Enter');
    await expect(tray(page)).toHaveCount(0);
    await expect(chat.message('look at this')).toContainText('Sent');

    await transfer(page, 'paste', 'textarea', ['one.png', 'two.png']);
    await transfer(page, 'drop', '.chat', ['three.png']);
    await expect(tray(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'Remove two.png' }).click();
    await expect(tray(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(async () => (await receivedBy(stage, bob, id)).length).toBe(3);
    const [picture, text, album] = await receivedBy(stage, bob, id);
    expect(picture.attachments.map(({ name }: { name: string }) => name)).toEqual(['holiday.png']);
    expect(text.content).toBe('look at this');
    expect(album.type).toBe('image');
    expect(album.attachments.map(({ name }: { name: string }) => name)).toEqual(['one.png', 'three.png']);
    await expect(chat.log.getByRole('progressbar')).toHaveCount(0);
  },
);

test('an upload shows its progress, is cancelled, fails with a reason and is repeated', async ({ stage }) => {
  const { bob, id, page, chat } = await openChat(stage, /422/);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/attachments', async (route) => {
    await held.promise;
    await route.continue();
  });
  await attach(page, [await fileOf('first.png'), await fileOf('second.png', 'green')]);
  await expect(tray(page).getByRole('progressbar', { name: 'Upload of first.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove first.png' }).click();
  await expect(tray(page)).toHaveCount(1);
  held.resolve();
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);

  await page.unroute('**/api/attachments');
  await attach(page, [{ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') }]);
  const again = page.getByRole('button', { name: /^Upload broken.png again: / });
  await expect(again).toBeVisible();
  // The service accepts it at the second time.
  const picture = await pngOf('black');
  await page.route('**/api/attachments', async (route) => {
    const form = new FormData();
    form.append('type', 'image');
    form.append('file', new Blob([new Uint8Array(picture)]), 'broken.png');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    await route.continue({
      postData: Buffer.from(await request.arrayBuffer()),
      headers: { ...route.request().headers(), 'content-type': request.headers.get('content-type') ?? '' },
    });
  });
  await again.click();
  await expect(again).toHaveCount(0);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await receivedBy(stage, bob, id)).length).toBe(1);
  const [album] = await receivedBy(stage, bob, id);
  expect(album.attachments.map(({ name }: { name: string }) => name)).toEqual(['second.png', 'broken.png']);
  await expect(chat.log.getByRole('article')).toHaveCount(1);
});

/** Returns the number of files in the browser's database. */
const storedFiles = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    // Opening it before the page does would create it without its store.
    if (databases.every(({ name }) => name !== 'callboard-uploads')) return 0;
    return new Promise<number>((resolve) => {
      const opened = indexedDB.open('callboard-uploads');
      opened.onsuccess = () => {
        const count = opened.result.transaction('uploads').objectStore('uploads').count();
        count.onsuccess = () => resolve(count.result);
      };
    });
  });

test('files that are attached or sent without a connection survive a reload and arrive once', async ({
  stage,
}) => {
  const { bob, id, page, chat } = await openChat(stage, /ERR_|Failed to load/);
  await page.route('**/api/attachments', (route) => route.abort());
  await attach(page, [await fileOf('sent.png')]);
  await chat.box.fill('with a caption');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const waiting = chat.log.getByRole('article', { name: 'Your message, not sent yet' });
  await expect(waiting).toHaveCount(2);
  await expect(waiting.first()).toContainText('Waiting for connection');
  await attach(page, [await fileOf('draft.png', 'green')]);
  await expect(tray(page)).toHaveCount(1);
  await expect.poll(() => storedFiles(page)).toBe(2);
  await page.reload();
  await expect(waiting).toHaveCount(2);
  await expect(waiting.first().getByRole('img', { name: 'sent.png' })).toBeVisible();
  await expect(tray(page).getByRole('img', { name: 'draft.png' })).toBeVisible();
  expect(await receivedBy(stage, bob, id)).toEqual([]);

  await page.unroute('**/api/attachments');
  await expect(waiting).toHaveCount(0);
  await expect(chat.message('with a caption')).toContainText('Sent');
  const received = await receivedBy(stage, bob, id);
  expect(received.map(({ type }: { type: string }) => type)).toEqual(['image', 'text']);
  expect(received[0].attachments[0].name).toBe('sent.png');
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);

  // A log-out deletes the files of the browser.
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Account' })).toBeVisible();
  await expect.poll(() => storedFiles(page)).toBe(0);
});

test('a picture is removed from an album that waits for the connection, after a reload', async ({
  stage,
}) => {
  const { bob, id, page, chat } = await openChat(stage, /ERR_|Failed to load/);
  await page.route('**/api/messages/conversations/*/messages', (route) => route.abort());
  await attach(page, [await fileOf('one.png'), await fileOf('two.png', 'green'), await fileOf('three.png')]);
  await chat.box.fill('with a caption');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const waiting = chat.log.getByRole('article', { name: 'Your message, not sent yet' });
  await expect(waiting.first()).toContainText('Waiting for connection');
  await page.reload();
  await expect(waiting.first().getByRole('img')).toHaveCount(3);
  await waiting.first().getByRole('button', { name: 'Remove two.png' }).click();
  await expect(waiting.first().getByRole('img')).toHaveCount(2);
  await expect(waiting.last()).toContainText('with a caption');

  await page.unrouteAll();
  await expect(chat.message('with a caption')).toContainText('Sent');
  const [album, text, ...more] = await receivedBy(stage, bob, id);
  expect(album.attachments.map(({ name }: { name: string }) => name)).toEqual(['one.png', 'three.png']);
  expect(text.content).toBe('with a caption');
  expect(more).toEqual([]);
});

test('a voice message has a duration and a waveform, can be a reply, and can be discarded', async ({
  stage,
}) => {
  const { bob, id, page, chat } = await openChat(stage);
  const questionId = await sendMessage(stage, bob, id, 'how are you?');
  await chat.choose('how are you?', 'Reply');
  await expect(page.getByText('Replying to Bob')).toBeVisible();
  const record = page.getByRole('button', { name: 'Record a voice message' });
  await record.click();
  await page.getByRole('button', { name: 'Discard voice message' }).click();
  await expect(chat.box).toBeVisible();
  await record.click();
  await expect(page.getByRole('group', { name: 'Voice message' })).toContainText(/\d:(?!00)\d\d/);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send voice message' }).click();
  await expect.poll(async () => (await receivedBy(stage, bob, id)).length).toBe(2);
  const [, message] = await receivedBy(stage, bob, id);
  expect(message.type).toBe('audio');
  expect(message.reply_to.id).toBe(questionId);
  await expect(page.getByText('Replying to Bob')).toHaveCount(0);
  expect(message.extra.duration).toBeGreaterThanOrEqual(1);
  const { waveform } = message.extra;
  expect(waveform.length).toBeGreaterThan(0);
  expect(waveform.length).toBeLessThanOrEqual(100);
  expect(waveform.every((level: number) => Number.isInteger(level) && level >= 0 && level <= 100)).toBe(true);
});

test('emoji are found by words of both languages, inserted at the caret and used as reactions', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: '王小明' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'hello');
  const page = await stage.open(amy, `/conversations/${id}`, { options: { locale: 'zh-CN' } });
  const chat = new ChatOnPage(page);
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.service.url)) outside.push(request.url());
  });
  await chat.box.fill('ab');
  await chat.box.press('ArrowLeft');
  const search = page.getByRole('searchbox', { name: '搜索表情' });
  for (const word of ['火箭', 'rocket']) {
    await page.getByRole('button', { name: '插入表情' }).click();
    await search.fill(word);
    await page.getByRole('gridcell', { name: /火箭/ }).first().click();
  }
  await expect(chat.box).toHaveValue('a🚀🚀b');

  await chat.message('hello').hover();
  await chat.message('hello').getByRole('button', { name: '添加表情回应' }).click();
  await page.getByRole('menuitem', { name: '更多表情' }).click();
  await search.fill('rocket');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('gridcell', { name: '火箭' }).click();
  await expect(chat.message('hello').getByRole('button', { name: '🚀，1 人' })).toBeVisible();
  expect(outside.filter((url) => !url.startsWith('blob:'))).toEqual([]);
});

test('the arrow up edits the last message, and Ctrl+B marks the selection', async ({ stage }) => {
  const { page, chat } = await openChat(stage);
  await chat.write('first');
  await chat.write('secnod');
  await expect(chat.message('secnod')).toContainText('Sent');
  await chat.box.press('ArrowUp');
  await expect(page.getByText('Edit message', { exact: true })).toBeVisible();
  await expect(chat.box).toHaveValue('secnod');
  await chat.box.fill('second');
  await chat.box.press('ControlOrMeta+a');
  await chat.box.press('ControlOrMeta+b');
  await expect(chat.box).toHaveValue('**second**');
  await chat.box.press('Enter');
  await expect(chat.message('edited').locator('strong')).toHaveText('second');
  // In a text the arrow moves the caret.
  await chat.box.fill('draft');
  await chat.box.press('ArrowUp');
  await expect(chat.box).toHaveValue('draft');
  await expect(page.getByText('Edit message', { exact: true })).toHaveCount(0);
});
