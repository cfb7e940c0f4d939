import type { Page } from '@playwright/test';
import { ChatOnPage, singleChat } from '../support/chat';
import { holdRequest } from '../support/hold-request';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';

/* Edits of sent messages. */

/** Opens a chat in which Amy has sent texts to Bob. */
async function openChat(stage: Stage, texts: readonly string[]) {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const page = await stage.open(amy, `/conversations/${await singleChat(stage, amy, bob)}`);
  const chat = new ChatOnPage(page);
  await expect(chat.log).toContainText('No messages yet');
  for (const text of texts) await chat.write(text);
  await expect(chat.log.getByRole('article').last()).toContainText('Sent');
  return { page, chat };
}

const editBar = (page: Page) => page.getByText('Edit message', { exact: true });

const holdEdit = (page: Page, failure?: object) => holdRequest(page, 'PUT', /\/api\/messages\/\d+$/, failure);

test('a slow edit leaves the next one as it is, whether it is saved or fails', async ({ stage }) => {
  const { page, chat } = await openChat(stage, ['one', 'two']);
  const isEditing = editBar(page);

  const slow = await holdEdit(page);
  await chat.choose('one', 'Edit');
  await chat.write('one, changed');
  await slow.asked;
  await chat.choose('two', 'Edit');
  await chat.box.fill('two, changed');
  slow.release();
  await expect(chat.message('one, changed')).toContainText('edited');
  await expect(isEditing).toBeVisible();
  await expect(chat.box).toHaveValue('two, changed');
  await chat.box.press('Enter');
  await expect(chat.message('two, changed')).toBeVisible();
  await expect(isEditing).toHaveCount(0);

  const failing = await holdEdit(page, { code: 409, message: '已超过编辑时限', data: null });
  await chat.choose('one', 'Edit');
  await chat.write('one, too late');
  await failing.asked;
  await chat.choose('two', 'Edit');
  const failed = page.waitForEvent('requestfinished', (request) => request.method() === 'PUT');
  failing.release();
  await failed;
  await chat.write('two, again');
  await expect(chat.message('two, again')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('text that is typed while an edit is being saved is kept for the next message', async ({ stage }) => {
  const { page, chat } = await openChat(stage, ['one']);
  const slow = await holdEdit(page);
  await chat.choose('one', 'Edit');
  await chat.write('one, changed');
  await slow.asked;
  await page.keyboard.insertText('and the next');
  slow.release();
  await expect(chat.message('one, changed')).toContainText('edited');
  await expect(editBar(page)).toHaveCount(0);
  await expect(chat.box).toHaveValue('and the next');
});
