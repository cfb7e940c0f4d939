import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { holdRequest } from '../support/hold-request';
import { expect, test } from '../support/journey';

test('a forward that completes after its dialog was closed opens no chat and closes no other dialog', async ({
  stage,
}) => {
  const [amy, bob, cleo] = [
    await stage.person({ name: 'Amy' }),
    await stage.person({ name: 'Bob' }),
    await stage.person({ name: 'Cleo' }),
  ];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'To forward');
  await singleChat(stage, amy, cleo);
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const sending = await holdRequest(page, 'POST', /\/conversations\/\d+\/messages$/);

  await chat.choose('To forward', 'Forward');
  const forward = page.getByRole('dialog', { name: /^Forward/ });
  await forward.getByRole('combobox').fill('Cleo');
  await forward.getByRole('option', { name: 'Cleo' }).click();
  await forward.getByRole('button', { name: /^Forward/ }).click();
  await sending.asked;
  await page.keyboard.press('Escape');
  await expect(forward).toHaveCount(0);
  await chat.choose('To forward', 'Delete for me');
  sending.release();
  const row = page.getByRole('link', { name: /Cleo/ });
  await expect(row).toContainText('To forward');
  await expect(page).toHaveURL(`/conversations/${id}`);
  await expect(page.getByRole('dialog', { name: 'Delete for me' })).toBeVisible();
});
