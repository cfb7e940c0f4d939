import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { hide, leaderOf, notificationsOf, openOf, tabsOf, tonesOf } from '../support/attention';
import { expect, test } from '../support/journey';
import type { Person, Stage } from '../support/stage';

const chatOf = async (stage: Stage, person: Person, other: Person): Promise<number> =>
  (
    await stage.request(person.id, 'POST', '/api/messages/conversations', {
      type: 'single',
      peer_id: other.id,
    })
  ).id;
const say = (stage: Stage, { id }: Person, chat: number, content: string) =>
  stage.request(id, 'POST', `/api/messages/conversations/${chat}/messages`, { type: 'text', content });

test('one hidden tab shows message notifications, except of muted chats; a click opens the chat', async ({
  stage,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  const [bob, carol] = [await stage.person({ name: 'Bob' }), await stage.person({ name: 'Carol' })];
  const [chat, muted] = [await chatOf(stage, bob, alice), await chatOf(stage, carol, alice)];
  await stage.request(alice.id, 'PUT', `/api/messages/conversations/${muted}/settings`, { muted: true });
  const { id: group } = await stage.request(bob.id, 'POST', '/api/messages/conversations', {
    type: 'group',
    name: 'Team',
    member_ids: [alice.id],
  });
  const pages = await tabsOf(stage, alice);
  await hide(pages);
  await say(stage, carol, muted, 'in silence');
  await say(stage, alice, chat, 'my own');
  await say(stage, bob, chat, 'hello');
  await say(stage, bob, group, 'all of you');
  // Both are prepared at the same time.
  await expect
    .poll(async () => (await notificationsOf(pages)).toSorted((a, b) => a.title.localeCompare(b.title)))
    .toEqual([
      { title: 'Bob', body: 'hello' },
      { title: 'Team', body: 'Bob: all of you' },
    ]);
  for (const page of pages)
    await page.evaluate(() =>
      window.notifications.find(({ title }) => title === 'Bob')?.dispatchEvent(new Event('click')),
    );
  await expect
    .poll(() => pages.filter((page) => page.url().endsWith(`/conversations/${chat}`)).length)
    .toBe(1);
});

test('visible content causes no notification: none for the open chat, and only a sound in the foreground', async ({
  stage,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  const [bob, carol] = [await stage.person({ name: 'Bob' }), await stage.person({ name: 'Carol' })];
  const [open, other] = [await chatOf(stage, bob, alice), await chatOf(stage, carol, alice)];
  const pages = await tabsOf(stage, alice);
  const [first, second, third] = pages as [Page, Page, Page];
  await second.goto(`/conversations/${open}`);
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
  await hide([first, third], `/conversations/${open}`);
  await say(stage, bob, open, 'seen');
  await say(stage, carol, other, 'heard');
  await expect.poll(() => tonesOf(pages)).toBe(2);
  expect(await notificationsOf(pages)).toEqual([]);
  await hide([second]);
  await say(stage, bob, open, 'told');
  await expect.poll(() => notificationsOf(pages)).toEqual([{ title: 'Bob', body: 'told' }]);
});

test('muted sounds stay silent; when the leader tab is closed, another one takes over', async ({ stage }) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const chat = await chatOf(stage, bob, alice);
  const pages = await tabsOf(stage, alice);
  const [first, second, third] = pages as [Page, Page, Page];
  const others = [second, third];
  await first.getByRole('checkbox', { name: 'Sounds' }).uncheck();
  await hide(pages);
  await say(stage, bob, chat, 'one');
  await expect.poll(() => notificationsOf(pages)).toEqual([{ title: 'Bob', body: 'one' }]);
  expect(await tonesOf(pages)).toBe(0);
  const leader = await leaderOf(first);
  await first.close();
  await expect.poll(async () => [undefined, leader].includes(await leaderOf(second))).toBe(false);
  await stage.requestAsAdmin('POST', '/api/admin/notifications', {
    user_ids: [alice.id],
    type: 'system',
    title: 'Good evening',
    content: 'The office closes',
  });
  const notice = { title: 'Good evening', body: 'The office closes' };
  await expect.poll(() => notificationsOf(others)).toContainEqual(notice);
  await Promise.all(
    others.map((page) => page.evaluate(() => window.notifications.at(-1)?.dispatchEvent(new Event('click')))),
  );
  await expect
    .poll(() => others.filter((page) => /\/notifications\?open=\d+$/.test(page.url())).length)
    .toBe(1);
});

test('a notification shows a ringing call, and then that it was missed', async ({ stage }) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const pages = await tabsOf(stage, alice);
  await hide(pages);
  const { call_id: id } = await stage.request(bob.id, 'POST', '/api/calls', {
    callee_id: alice.id,
    media_type: 'video',
  });
  await expect.poll(() => notificationsOf(pages)).toEqual([{ title: 'Bob', body: 'Incoming video call' }]);
  await stage.request(bob.id, 'POST', `/api/calls/${id}/cancel`, {});
  await expect
    .poll(() => notificationsOf(pages))
    .toEqual([
      { title: 'Bob', body: 'Incoming video call' },
      { title: 'Missed call', body: 'Video call from Bob' },
    ]);
});

test('a notification is closed when it was read elsewhere, its message recalled, or its call declined elsewhere', async ({
  stage,
}) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const chat = await chatOf(stage, bob, alice);
  const pages = await tabsOf(stage, alice);
  await hide(pages);
  await say(stage, bob, chat, 'hello');
  await expect.poll(() => openOf(pages)).toEqual(['hello']);
  await stage.request(alice.id, 'POST', `/api/messages/conversations/${chat}/read`, {});
  await expect.poll(() => openOf(pages)).toEqual([]);

  const { id: messageId } = await say(stage, bob, chat, 'wrong');
  await expect.poll(() => openOf(pages)).toEqual(['wrong']);
  await stage.request(bob.id, 'POST', `/api/messages/${messageId}/recall`);
  await expect.poll(() => openOf(pages)).toEqual([]);

  const call = { callee_id: alice.id, media_type: 'audio' };
  const { call_id: callId } = await stage.request(bob.id, 'POST', '/api/calls', call);
  await expect.poll(() => openOf(pages)).toEqual(['Incoming call']);
  await stage.request(alice.id, 'POST', `/api/calls/${callId}/reject`, {});
  await expect.poll(() => openOf(pages)).toEqual([]);
});

test('a call that is over before its notification is ready shows only that it was missed', async ({
  stage,
}) => {
  const [alice, bob] = [await stage.person({ name: 'Alice' }), await stage.person({ name: 'Bob' })];
  const pages = await tabsOf(stage, alice);
  await hide(pages);
  // A reconnect replays both events of the call at the same time.
  for (const page of pages)
    await page.evaluate(() => {
      const query = navigator.locks.query.bind(navigator.locks);
      const released = new Promise((resolve) => window.addEventListener('test-release', resolve));
      navigator.locks.query = async () => {
        await released;
        return query();
      };
    });
  const { call_id: id } = await stage.request(bob.id, 'POST', '/api/calls', { callee_id: alice.id });
  await stage.request(bob.id, 'POST', `/api/calls/${id}/cancel`, {});
  // The missed call is counted after both events.
  for (const page of pages) await expect(page).toHaveTitle('(1) Callboard');
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('test-release')));
  await expect
    .poll(() => notificationsOf(pages))
    .toContainEqual(expect.objectContaining({ title: 'Missed call' }));
  expect(await notificationsOf(pages)).toHaveLength(1);
});

test('notification permission is requested only by a click, and its result is shown', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await stage.open(alice, '/contacts');
  await page.addInitScript(() => {
    window.permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => window.permission });
    Notification.requestPermission = async () => {
      window.permission = location.search === '?no' ? 'denied' : 'granted';
      return window.permission;
    };
  });
  await page.goto('/settings?no');
  await expect(
    page.getByText('Get messages, notifications and calls while this page is in the background.'),
  ).toBeVisible();
  expect(await page.evaluate(() => window.permission)).toBe('default');
  await page.getByRole('button', { name: 'Allow…' }).click();
  await expect(page.getByText('Notifications are blocked.')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Allow…' }).click();
  const toggle = page.getByRole('checkbox', { name: 'Browser notifications' });
  await expect(toggle).toBeChecked();
  await toggle.uncheck();
  await expect(toggle).not.toBeChecked();
  expect(await findAccessibilityViolations(page)).toEqual([]);
});
