import { randomInt } from 'node:crypto';
import { ChatOnPage, sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';
import type { Person, Stage } from '../support/stage';

const ACTIONS = 24;
const EMOJI = ['👍', '😂'];
/** The viewport is high enough to show the whole history. */
const OPTIONS = { viewport: { width: 1280, height: 5_000 } };

/** Returns a deterministic random number generator for a seed. */
function numbersOf(seed: number): (randomBelow: number) => number {
  let state = seed;
  return (randomBelow) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * randomBelow);
  };
}

/** Returns the visible texts of the list of chats and of the open chat. */
async function shownBy(chat: ChatOnPage): Promise<{ list: string[]; history: string[] }> {
  const list = await chat.page.getByRole('list', { name: 'Chats' }).getByRole('listitem').allInnerTexts();
  const history = await chat.log.locator('[data-key]:not([data-key=unread])').allInnerTexts();
  return { list, history };
}

/** Performs a random action of a user in the page or through the API. The service rejects invalid ones. */
async function runAction(
  next: (randomBelow: number) => number,
  step: number,
  { stage, who, chat, ids }: { stage: Stage; who: Person; chat: ChatOnPage; ids: number[] },
): Promise<string> {
  const id = ids[next(ids.length)] ?? 0;
  const kind = next(12);
  const conversation = `/api/messages/conversations/${id}`;
  const { data } = await stage.service.send(who.id, 'GET', `${conversation}/messages?mark_read=0`);
  const message = data?.items?.[next(data.items.length)]?.id ?? 0;
  const send = (method: string, path: string, body?: object) =>
    stage.service.send(who.id, method, path, body);
  if (kind < 3) await chat.write(`page ${step}`);
  else if (kind < 5) await sendMessage(stage, who, id, `device ${step}`);
  else if (kind === 5)
    await send('POST', `${conversation}/messages`, {
      type: 'text',
      content: `re ${step}`,
      reply_to_id: message,
    });
  else if (kind === 6) await send('PUT', `/api/messages/${message}`, { content: `edited ${step}` });
  else if (kind === 7) await send('POST', `/api/messages/${message}/recall`);
  else if (kind === 8)
    await send('PUT', `/api/messages/${message}/reactions`, { emoji: EMOJI[next(2)], reacted: next(4) > 0 });
  else if (kind === 9) await send('DELETE', `/api/messages/${message}`);
  else if (kind === 10)
    await send('PUT', `${conversation}/settings`, { pinned: next(2) > 0, muted: next(2) > 0 });
  else await send('POST', `${conversation}/read`, {});
  return `${step}: ${who.name} did ${kind} in ${id}`;
}

test('after random actions in two windows, each shows the same as after a reload', async ({ stage }) => {
  const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
  const next = numbersOf(seed);
  const [amy, bob] = [await stage.person({ name: 'Amy' }), await stage.person({ name: 'Bob' })];
  const single = await singleChat(stage, amy, bob);
  const body = { type: 'group', name: 'Group', member_ids: [bob.id] };
  const { id: group } = await stage.request(amy.id, 'POST', '/api/messages/conversations', body);
  const open = async (who: Person, id: number) => {
    const chat = new ChatOnPage(await stage.open(who, `/conversations/${id}`, { options: OPTIONS }));
    await expect(chat.box).toBeVisible();
    return chat;
  };
  const windows = [
    { who: amy, chat: await open(amy, single) },
    { who: bob, chat: await open(bob, group) },
  ];
  const log: string[] = [];
  for (let step = 0; step < ACTIONS; step += 1) {
    const own = windows[next(2)];
    if (own !== undefined) log.push(await runAction(next, step, { stage, ids: [single, group], ...own }));
  }
  for (const { who, chat } of windows) {
    await expect(chat.log.getByText(/Sending…|Waiting for connection…|Not sent/)).toHaveCount(0);
    const fresh = new ChatOnPage(await chat.page.context().newPage());
    await fresh.page.setViewportSize(OPTIONS.viewport);
    await fresh.page.goto(chat.page.url());
    await expect(fresh.box).toBeVisible();
    // The last events, and read receipts of the group, may still be pending.
    await expect
      .poll(async () => JSON.stringify(await shownBy(chat)) === JSON.stringify(await shownBy(fresh)))
      .toBe(true)
      .catch(async () => {
        const steps = `seed ${seed} (TEST_SEED=${seed} repeats it), ${who.name}:\n${log.join('\n')}`;
        expect(await shownBy(chat), steps).toEqual(await shownBy(fresh));
      });
    await fresh.page.close();
  }
});
