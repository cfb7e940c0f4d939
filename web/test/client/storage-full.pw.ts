import type { Page } from '@playwright/test';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';
import { PASSWORD } from '../support/stage';

/** Fills the storage of the origin until not a single character fits. */
const fillStorage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const storage of [localStorage, sessionStorage])
      for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2))
        try {
          for (let piece = 0; ; piece += 1) storage.setItem(`other ${size} ${piece}`, 'x'.repeat(size));
        } catch {
          // A piece of that size does not fit.
        }
  });

test('with full browser storage, users still log in, send messages and see errors', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'before');
  const page = await stage.guest(`/conversations/${id}`);
  await fillStorage(page);
  await page.getByRole('textbox', { name: 'Account' }).fill(amy.account);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  const chat = new ChatOnPage(page);
  await expect(chat.message('before')).toBeVisible();
  await chat.box.pressSequentially('letter by letter');
  await expect(chat.box).toHaveValue('letter by letter');
  await chat.box.press('Enter');
  await chat.write('and one more');
  // The state stands once, below the last message.
  await expect(chat.message('letter by letter')).toBeVisible();
  await expect(chat.message('and one more')).toContainText('Sent');
  await sendMessage(stage, bob, id, 'I see');
  await expect(chat.message('I see')).toBeVisible();
});
