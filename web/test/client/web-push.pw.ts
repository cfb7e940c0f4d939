import { findAccessibilityViolations } from '../support/accessibility';
import { ringing } from '../support/call';
import { expect } from '../support/journey';
import { PushBrowser, targetsOf } from '../support/push-browser';
import { test } from '../support/push-journey';
import { PASSWORD, type Person, type Stage } from '../support/stage';

const ringFrom = async (stage: Stage, caller: Person, callee: Person): Promise<number> =>
  (await stage.request(caller.id, 'POST', '/api/calls', { callee_id: callee.id, media_type: 'audio' }))
    .call_id;

const statusOf = async (stage: Stage, { id }: Person, callId: number): Promise<string> =>
  (await stage.request(id, 'GET', `/api/calls/${callId}`)).status;

async function send(stage: Stage, sender: Person, receiver: Person, content: string): Promise<number> {
  const { id } = await stage.request(sender.id, 'POST', '/api/messages/conversations', {
    type: 'single',
    peer_id: receiver.id,
  });
  await stage.request(sender.id, 'POST', `/api/messages/conversations/${id}/messages`, {
    type: 'text',
    content,
  });
  return id;
}

test('a push rings without a page; declining needs none, and the end of a call replaces its ring', async ({
  stage,
  providers,
}) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const browser = await PushBrowser.open(stage, providers, alice);
  await browser.page.close();

  const first = await ringFrom(stage, bob, alice);
  expect(await browser.deliver()).toBe('call.ringing');
  const ring = { title: 'Bob', body: 'Incoming call', actions: ['Answer', 'Decline'] };
  await expect.poll(() => browser.shown()).toEqual([ring]);
  await browser.click('decline');
  await expect.poll(() => statusOf(stage, bob, first)).toBe('rejected');
  expect(await browser.shown()).toEqual([]);

  // The declined call is over, which this browser knows. Then the missed one.
  expect(await browser.deliver()).toBe('call.over');
  const second = await ringFrom(stage, bob, alice);
  expect(await browser.deliver()).toBe('call.ringing');
  await expect.poll(() => browser.shown()).toEqual([ring]);
  await stage.request(alice.id, 'POST', `/api/calls/${second}/accept`, { terminal_id: 'phone' });
  expect(await browser.deliver()).toBe('call.over');
  await expect
    .poll(() => browser.shown())
    .toEqual([{ title: 'Bob', body: 'Answered on another device', actions: [] }]);
  expect(await browser.recorded()).toMatchObject({ opened: [] });
});

test('a push shows a message and the badge, and a click opens the chat', async ({ stage, providers }) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const browser = await PushBrowser.open(stage, providers, alice);
  // A visible page shows the message itself.
  const chat = await send(stage, bob, alice, 'seen');
  expect(await browser.deliver()).toBe('message');
  await expect.poll(async () => (await browser.recorded()).badges).toEqual([1]);
  expect(await browser.shown()).toEqual([]);

  await browser.page.close();
  await stage.requestAsAdmin('POST', '/api/admin/notifications', {
    user_ids: [alice.id],
    type: 'system',
    title: 'Good evening',
    content: 'The office closes',
  });
  expect(await browser.deliver()).toBe('notification');
  await expect.poll(() => browser.shown()).toEqual([{ title: 'Good evening', body: '', actions: [] }]);
  await browser.click();
  await send(stage, bob, alice, 'hello');
  expect(await browser.deliver()).toBe('message');
  await expect.poll(() => browser.shown()).toEqual([{ title: 'Bob', body: 'New message', actions: [] }]);
  await browser.click();
  expect(await browser.recorded()).toEqual({
    opened: [expect.stringMatching(/^\/notifications\?open=\d+$/), `/conversations/${chat}`],
    badges: [1, 2, 3],
  });
  expect(await browser.shown()).toEqual([]);
});

test('“Answer” in a notification answers the call in the open page', async ({ stage, providers }) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const browser = await PushBrowser.open(stage, providers, alice);
  const { page } = browser;
  const callId = await ringFrom(stage, bob, alice);
  await expect(ringing(page)).toBeVisible();
  await browser.show('Bob', { path: '/', id: callId, callId });
  await browser.click('answer');
  await expect.poll(() => statusOf(stage, bob, callId)).toMatch(/^(accepted|ongoing)$/);
  await expect(page.getByRole('dialog', { name: 'Call with Bob' })).toBeVisible();
  await expect(page).toHaveURL(/\/contacts$/);
});

test('signing in again after the session was ended registers the subscription again', async ({
  stage,
  providers,
}) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const browser = await PushBrowser.open(stage, providers, alice, '/settings', /status of 401/);
  const { page } = browser;
  await stage.requestAsAdmin('DELETE', `/api/admin/users/${alice.id}/sessions`);
  const isRegistered = page.waitForResponse((response) => response.url().endsWith('/api/push/targets'));
  const dialog = page.getByRole('dialog', { name: /^Your session has ended/ });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await isRegistered;
  await ringFrom(stage, bob, alice);
  expect(await browser.deliver()).toBe('call.ringing');
});

test('switching notifications off and logging out end the subscription', async ({ stage, providers }) => {
  const alice = await stage.person({ name: 'Alice' });
  const { page } = await PushBrowser.open(stage, providers, alice, '/settings');
  await expect(page.getByText('They also arrive while this page is closed.')).toBeVisible();
  const toggle = page.getByRole('checkbox', { name: 'Browser notifications' });
  await toggle.uncheck();
  await expect.poll(() => targetsOf(stage, alice)).toEqual([]);
  await expect(page.getByText('They also arrive while this page is closed.')).toBeHidden();
  await toggle.check();
  await expect.poll(() => targetsOf(stage, alice)).toMatchObject([{ kind: 'webpush' }]);
  await page.getByRole('button', { name: 'Log out', exact: true }).first().click();
  await expect(page.getByRole('textbox', { name: 'Account' })).toBeVisible();
  await expect.poll(() => targetsOf(stage, alice)).toEqual([]);
});

test('the client can be installed, and offers it in the settings', async ({ stage }) => {
  const alice = await stage.person();
  const page = await stage.open(alice, '/settings');
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
  const sizes = await page.evaluate(async () => {
    const { icons } = (await (await fetch('/manifest.webmanifest')).json()) as {
      icons: { src: string; sizes: string; purpose?: string }[];
    };
    return Promise.all(
      icons.map(async ({ src, sizes: promised, purpose = 'any' }) => {
        const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
        return `${purpose} ${promised} ${width}x${height}`;
      }),
    );
  });
  expect(sizes).toEqual([
    'any 192x192 192x192',
    'any 512x512 512x512',
    'maskable 192x192 192x192',
    'maskable 512x512 512x512',
  ]);
  const button = page.getByRole('button', { name: 'Install…' });
  await expect(button).toBeHidden();
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    window.dispatchEvent(
      Object.assign(offer, {
        prompt: async () => {
          document.title = offer.defaultPrevented ? 'prompted' : 'shown by the browser';
        },
      }),
    );
  });
  await expect(button).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await button.click();
  await expect(page).toHaveTitle('prompted');
  await expect(button).toBeHidden();
});
