import { findAccessibilityViolations } from '../support/accessibility';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { pictureOf, tone, uploadFile } from '../support/files';
import { expect, test } from '../support/journey';

const naturalWidth = (image: HTMLImageElement): number => image.naturalWidth;

test(
  'a chat shows an album, a voice message and a file, and opens pictures with keys',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
    const id = await singleChat(stage, amy, bob);
    const pictures = await Promise.all(
      ['tomato', 'teal', 'gold'].map(async (colour) =>
        uploadFile(stage, bob, { type: 'image', name: `${colour}.png`, bytes: await pictureOf(colour) }),
      ),
    );
    const voice = { type: 'audio', name: 'note.wav', bytes: tone(2), duration: 2 };
    const note = await uploadFile(stage, bob, voice);
    const file = await uploadFile(stage, bob, {
      type: 'file',
      name: 'Plan.pdf',
      bytes: Buffer.alloc(48_200, 'x'),
    });
    await sendMessage(stage, bob, id, { type: 'image', attachment_ids: pictures });
    const extra = { waveform: [10, 60, 100, 40, 20] };
    await sendMessage(stage, bob, id, { type: 'audio', attachment_id: note, extra });
    await sendMessage(stage, bob, id, { type: 'file', attachment_id: file });

    const page = await stage.open(amy, `/conversations/${id}`);
    const { log } = new ChatOnPage(page);
    const second = log.getByRole('button', { name: 'teal.png, 2 of 3' });
    await expect.poll(() => second.locator('img').evaluate(naturalWidth)).toBe(64);

    // The viewer opens at the picture, and the keys belong to it.
    await second.click();
    const viewer = page.getByRole('dialog', { name: 'Pictures' });
    await expect(viewer.getByRole('img', { name: 'teal.png' })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(viewer.getByRole('img', { name: 'gold.png' })).toBeVisible();
    await viewer.getByRole('button', { name: 'Zoom in' }).click();
    await expect(viewer.getByRole('button', { name: 'Zoom out' })).toBeEnabled();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(viewer).toBeHidden();
    await expect(second).toBeFocused();

    const player = log.getByRole('group', { name: 'note.wav' });
    await expect(player).toContainText('0:02');
    await player.getByRole('button', { name: 'Play' }).click();
    await expect
      .poll(() => player.locator('audio').evaluate((audio: HTMLAudioElement) => audio.ended))
      .toBe(true);
    await player.getByRole('slider', { name: 'Position' }).fill('1');
    await expect(player).toContainText('0:01');

    const link = log.getByRole('link', { name: 'Plan.pdf' });
    await expect(link).toContainText('48 kB');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('Plan.pdf');
  },
);

test('shared media lists the photos and files of a chat, and opens them above the dialog', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const bytes = await pictureOf('teal');
  const picture = await uploadFile(stage, bob, { type: 'image', name: 'teal.png', bytes });
  const file = await uploadFile(stage, bob, { type: 'file', name: 'Plan.pdf', bytes });
  await sendMessage(stage, bob, id, { type: 'image', attachment_id: picture });
  await sendMessage(stage, bob, id, { type: 'file', attachment_id: file });
  await sendMessage(stage, bob, id, 'good night');

  const page = await stage.open(amy, `/conversations/${id}`);
  await page.locator('.chat-header').getByRole('button', { name: 'Actions for Bob' }).click();
  await page.getByRole('menuitem', { name: 'Shared media' }).click();
  const media = page.getByRole('dialog', { name: 'Shared media' });
  await media.getByRole('button', { name: 'teal.png' }).click();
  const viewer = page.getByRole('dialog', { name: 'Pictures' });
  await expect(viewer.getByRole('img', { name: 'teal.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await media.getByRole('button', { name: 'Files' }).click();
  await expect(media.getByRole('link', { name: 'Plan.pdf' })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

test('a picture that failed to load appears when the connection is back', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const bytes = await pictureOf('teal');
  const picture = await uploadFile(stage, bob, { type: 'image', name: 'teal.png', bytes });
  const message = await sendMessage(stage, bob, id, { type: 'image', attachment_id: picture });
  const page = await stage.open(amy, '/', { mayLogErrors: /status of 500/ });
  const hasFailed = page.waitForResponse((response) => response.url().endsWith(`/api/messages/${message}`));
  const failure = { code: 500, message: '服务器内部错误', data: null };
  await page.route(/\/files\/|\/api\/messages\/\d+$/, (route) =>
    route.fulfill({ status: 500, json: failure }),
  );
  await page.getByRole('main').getByRole('link', { name: 'Bob' }).click();
  await hasFailed;
  await page.unrouteAll();
  const image = new ChatOnPage(page).log.getByRole('img', { name: 'teal.png' });
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      return image.evaluate(naturalWidth);
    })
    .toBe(64);
});

test('a user uploads, replaces and removes avatars: the own one and that of a group', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const group = { type: 'group', name: 'Club', member_ids: [bob.id] };
  const { id } = await stage.request(amy.id, 'POST', '/api/messages/conversations', group);
  const page = await stage.open(amy, '/settings', { mayLogErrors: /422/ });
  const profile = page.getByRole('region', { name: 'Profile' });
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: await pictureOf('tomato', 300, 200) };
  await profile.locator('input[type=file]').setInputFiles(picture);
  await expect.poll(() => profile.locator('img.picture').evaluate(naturalWidth)).toBe(256);

  await page.goto(`/conversations/${id}`);
  await page.getByRole('button', { name: 'Members: 2' }).click();
  const dialog = page.locator('.side-body');
  await dialog.locator('input[type=file]').setInputFiles({ ...picture, buffer: Buffer.from('no picture') });
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.locator('input[type=file]').setInputFiles(picture);
  const avatar = dialog.locator('.avatar-upload img.picture');
  await expect.poll(() => avatar.evaluate(naturalWidth)).toBe(256);
  await dialog.getByRole('button', { name: 'Remove picture' }).click();
  await expect(avatar).toBeHidden();
});
