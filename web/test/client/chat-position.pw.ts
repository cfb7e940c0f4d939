import { ChatOnPage, sendMessage, sendMessages, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

/* Position of the history: where a chat opens, and jumps that overtake each other. */

test('a chat that was never read opens at its first message, however far back, and marks nothing as read', async ({
  stage,
}) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  for (let number = 1; number <= 60; number += 1) await sendMessage(stage, bob, id, `number ${number}.`);
  const unread = async () =>
    (await stage.request(amy.id, 'GET', `/api/messages/conversations/${id}`)).unread_count;
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const divider = chat.log.getByText('Unread messages');
  await expect(divider).toBeInViewport();
  await expect(chat.message('number 1.')).toBeInViewport();
  expect(await unread()).toBe(60);
  await page.getByRole('button', { name: 'Jump to latest, 60 new' }).click();
  await expect(chat.message('number 60.')).toBeInViewport();
  await expect.poll(unread).toBe(0);
  await page.getByRole('button', { name: 'Jump to first unread' }).click();
  await expect(divider).toBeInViewport();
  await expect(chat.message('number 1.')).toBeInViewport();
});

test('a chat that was cleared opens at the first message since then', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  await sendMessage(stage, bob, id, 'before');
  await stage.request(amy.id, 'POST', `/api/messages/conversations/${id}/clear`);
  for (let number = 1; number <= 60; number += 1) await sendMessage(stage, bob, id, `number ${number}.`);
  // The last read message is not found any more.
  const chat = new ChatOnPage(await stage.open(amy, `/conversations/${id}`, { mayLogErrors: /404/ }));
  await expect(chat.log.getByText('Unread messages')).toBeInViewport();
  await expect(chat.message('number 1.')).toBeInViewport();
});

test('a jump that fails after a message was sent shows no error', async ({ stage }) => {
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const id = await singleChat(stage, amy, bob);
  const question = await sendMessage(stage, bob, id, 'how are you?');
  await sendMessages(stage, bob, id, 120);
  await sendMessage(stage, bob, id, { content: 'an answer', reply_to_id: question });
  await stage.request(amy.id, 'POST', `/api/messages/conversations/${id}/read`, {});
  const page = await stage.open(amy, `/conversations/${id}`);
  const chat = new ChatOnPage(page);
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(new RegExp(`before_id=${question}&`), async (route) => {
    asked.resolve();
    await released.promise;
    await route.fulfill({ json: { code: 404, message: '消息不存在', data: null } });
  });
  await chat.message('an answer').getByRole('button', { name: 'how are you?' }).click();
  await asked.promise;
  await chat.write('never mind');
  await expect(chat.message('never mind')).toContainText('Sent');
  const failed = page.waitForEvent('requestfinished', (request) =>
    request.url().includes(`before_id=${question}&`),
  );
  released.resolve();
  await failed;
  // Rendered after the response.
  await sendMessage(stage, bob, id, 'all right');
  await expect(chat.message('all right')).toBeInViewport();
  await expect(page.getByText('This message is no longer available')).toHaveCount(0);
});
