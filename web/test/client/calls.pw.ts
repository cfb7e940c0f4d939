import { expect, test } from '../support/journey';
import {
  call,
  callWindow,
  contactOf,
  RUNNING_DURATION,
  expectSilence,
  expectAudio,
  createContacts,
  ringing,
  expectVideo,
  startCall,
} from '../support/call';

test(
  'from the first visit to a video call, its history, and another call from there',
  { tag: '@smoke' },
  async ({ stage }) => {
    const [alice, bob] = [await stage.guest('/'), await stage.guest('/')];
    await alice.getByRole('button', { name: /alice$/ }).click();
    await bob.getByRole('button', { name: /bob$/ }).click();
    await alice.getByRole('link', { name: 'Contacts' }).click();
    await alice.getByRole('searchbox', { name: 'Search people' }).fill('bob');
    await alice.getByRole('list', { name: 'Results' }).getByRole('link').click();
    await call(alice);

    await expect(callWindow(alice).getByText('Ringing…')).toBeVisible();
    await bob.getByRole('button', { name: 'Answer with video' }).click();
    await Promise.all([expectVideo(alice), expectVideo(bob)]);
    await Promise.all([expectAudio(alice), expectAudio(bob)]);
    await expect(alice.getByRole('timer', { name: 'Duration' })).toHaveText(RUNNING_DURATION);
    await expect(alice.getByText('You: Good connection')).toBeVisible();

    await alice.getByRole('button', { name: 'Mute microphone' }).click();
    await expectSilence(bob);
    await expect(bob.getByText('爱丽丝 is muted')).toBeVisible();
    await alice.getByRole('button', { name: 'Mute microphone', pressed: true }).click();
    await expectAudio(bob);
    await expect(bob.getByText('爱丽丝 is muted')).toHaveCount(0);

    await alice.getByRole('button', { name: 'Turn off camera' }).click();
    await expect(bob.getByLabel(/^Video of/)).toBeHidden();
    await expect(alice.getByLabel('Your video')).toBeHidden();
    await alice.getByRole('button', { name: 'Turn off camera', pressed: true }).click();
    await expect(bob.getByLabel(/^Video of/)).toBeVisible();
    await expectVideo(bob);

    await bob.getByRole('button', { name: 'Hang up' }).click();
    for (const page of [alice, bob]) {
      await expect(page.getByRole('dialog', { name: /ended$/ })).toContainText(/Call ended · \d+:\d\d/);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Calls' }).click();
    }
    const newest = (page: typeof alice) =>
      page.getByRole('list', { name: 'Your calls' }).getByRole('listitem').first();
    await expect(newest(alice)).toContainText('Outgoing');
    await expect(newest(bob)).toContainText('Incoming');
    await newest(bob).getByRole('link').click();
    await expect(bob.getByRole('definition').first()).toHaveText('Call ended');
    await newest(bob)
      .getByRole('button', { name: /^Video call / })
      .click();
    await expect(ringing(alice)).toBeVisible();
    await bob.getByRole('button', { name: 'Cancel' }).click();
    await expect(alice.getByText('Missed call')).toBeVisible();
    await expect(newest(alice)).toContainText('Missed');
  },
);

/** Counts the tones of a tab, starting with its next page load. */
const COUNT_TONES = `
  window.tones = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...args) {
    window.tones += 1;
    return start.apply(this, args);
  };
`;

test('a call rings in one of three tabs, and in none after one has answered', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const alice = await stage.open(caller, contactOf(callee));
  const first = await stage.open(callee, '/calls');
  const browser = first.context();
  await browser.addInitScript(COUNT_TONES);
  await first.reload();
  const tabs = [first, await browser.newPage(), await browser.newPage()] as const;
  for (const tab of tabs) {
    if (tab !== first) await tab.goto('/contacts');
    // Browsers play audio only after a user interaction.
    await tab.getByRole('heading', { level: 1 }).click();
  }
  const tones = () => Promise.all(tabs.map((tab) => tab.evaluate<number>('window.tones')));
  const isRinging = () =>
    first.evaluate(async () => {
      const { held = [] } = await navigator.locks.query();
      return held.some(({ name }) => name?.startsWith('callboard ring'));
    });

  await call(alice);
  for (const tab of tabs) await expect(ringing(tab)).toBeVisible();
  // Each ring has two tones, so four tones mean that the second ring has started.
  await expect.poll(async () => Math.max(...(await tones()))).toBeGreaterThanOrEqual(4);
  expect((await tones()).filter((count) => count > 0)).toHaveLength(1);
  expect(await isRinging()).toBe(true);

  await tabs[1].getByRole('button', { name: 'Answer with video' }).click();
  await Promise.all([expectVideo(alice), expectVideo(tabs[1])]);
  for (const tab of tabs) await expect(ringing(tab)).toBeHidden();
  await expect.poll(isRinging).toBe(false);
  const after = await tones();
  for (const tab of [tabs[0], tabs[2]]) await expect(tab.getByRole('dialog')).toHaveCount(0);
  await alice.getByRole('button', { name: 'Hang up' }).click();
  await expect(tabs[1].getByRole('dialog', { name: /ended$/ })).toBeVisible();
  expect(await tones()).toEqual(after);
});

test('a missed call is shown in every tab until the note is closed or answered in one of them', async ({
  stage,
}) => {
  const [caller, callee] = await createContacts(stage);
  const alice = await stage.open(caller, contactOf(callee));
  const first = await stage.open(callee, '/calls');
  const tabs = [first, await first.context().newPage()] as const;
  await tabs[1].goto('/contacts');
  const missed = async (): Promise<void> => {
    await call(alice);
    for (const tab of tabs) await expect(ringing(tab)).toBeVisible();
    await alice.getByRole('button', { name: 'Cancel' }).click();
    for (const tab of tabs)
      await expect(tab.getByRole('dialog', { name: /ended$/ })).toContainText('Missed call');
    await alice.getByRole('button', { name: 'Close' }).click();
  };

  await missed();
  await tabs[1].getByRole('button', { name: 'Close' }).click();
  for (const tab of tabs) await expect(tab.getByRole('dialog')).toHaveCount(0);
  await missed();
  await tabs[1].getByRole('button', { name: 'Call again' }).click();
  await expect(ringing(alice)).toBeVisible();
  await expect(tabs[0].getByRole('dialog')).toHaveCount(0);
  await alice.getByRole('button', { name: 'Decline' }).click();
  await expect(tabs[1].getByRole('dialog', { name: /ended$/ })).toContainText('Alice Winter declined');
  await expect(tabs[0].getByRole('dialog')).toHaveCount(0);
});

test('a call continues after a reload, still muted, and while the page is used', async ({ stage }) => {
  const { alice, bob } = await startCall(stage);
  await bob.getByRole('button', { name: 'Mute microphone' }).click();
  await bob.reload();
  await Promise.all([expectVideo(alice), expectVideo(bob)]);
  await expect(bob.getByRole('button', { name: 'Mute microphone', pressed: true })).toBeVisible();
  await expectSilence(alice);
  await expect(alice.getByText('王小明 is muted')).toBeVisible();

  await alice.getByRole('button', { name: 'Minimize' }).click();
  await alice.getByRole('link', { name: 'Settings' }).click();
  await expect(alice).toHaveURL(/\/settings$/);
  await expectAudio(bob);
  await alice.getByRole('button', { name: 'Expand' }).click();
  await expectVideo(alice);
  await alice.keyboard.press('Escape');
  await expect(alice.getByRole('button', { name: 'Expand' })).toBeVisible();

  await bob.getByRole('button', { name: 'Audio and video devices' }).click();
  const cameras = bob.getByLabel('Camera', { exact: true });
  await expect(cameras.getByRole('option')).not.toHaveCount(0);
  await bob.getByLabel('Microphone', { exact: true }).selectOption({ index: 1 });
  await expectVideo(alice);
  await expectSilence(alice);
});

for (const where of ['the tab of the call', 'another tab'] as const)
  test(`a log-out hangs up the call: in ${where}`, async ({ stage }) => {
    const { alice, bob, people } = await startCall(stage);
    const { call_id: id } = await stage.request(people[0].id, 'GET', '/api/calls/active');
    const leaving = where === 'another tab' ? await alice.context().newPage() : alice;
    if (leaving === alice) await alice.getByRole('button', { name: 'Minimize' }).click();
    else await leaving.goto('/settings');
    await leaving.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click();
    await leaving.getByRole('button', { name: 'Log out', exact: true }).click();
    for (const tab of alice.context().pages())
      await expect(tab.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
    // Without the hang-up the call would end with `connection_lost` when the lease of the terminal expires.
    await expect
      .poll(async () => (await stage.request(people[1].id, 'GET', `/api/calls/${id}`)).end_reason)
      .not.toBeNull();
    const { end_reason, ended_by } = await stage.request(people[1].id, 'GET', `/api/calls/${id}`);
    expect({ end_reason, ended_by }).toEqual({ end_reason: 'local_hangup', ended_by: people[0].id });
    await expect(bob.getByRole('dialog', { name: /ended$/ })).toContainText(/Call ended · \d+:\d\d/);
  });

test('an unanswered call shows the reason on both sides and in the history', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const third = await stage.person();
  const alice = await stage.open(caller, contactOf(callee), { mayLogErrors: /409|404/ });
  const bob = await stage.open(callee, '/calls');
  const over = alice.getByRole('dialog', { name: /ended$/ });

  await call(alice, 'Voice call');
  await expect(bob.getByRole('dialog', { name: 'Call from Alice Winter' })).toBeVisible();
  await alice.getByRole('button', { name: 'Cancel' }).click();
  await expect(over).toContainText('You cancelled the call');
  await expect(bob.getByRole('dialog', { name: /ended$/ })).toContainText('Missed call');
  await over.getByRole('button', { name: 'Call again' }).click();
  await bob.getByRole('button', { name: 'Decline' }).click();
  await expect(over).toContainText('王小明 declined');
  await expect(bob.getByRole('dialog')).toHaveCount(0);
  await over.getByRole('button', { name: 'Close' }).click();

  const body = { callee_id: callee.id, media_type: 'audio' };
  const { call_id: id } = await stage.request(third.id, 'POST', '/api/calls', body);
  await stage.request(callee.id, 'POST', `/api/calls/${id}/accept`, { terminal_id: 'phone' });
  await call(alice);
  await expect(alice.getByRole('alert')).toContainText('Busy on another call.');
  await stage.request(third.id, 'POST', `/api/calls/${id}/hangup`, {});
  await alice.getByRole('button', { name: 'Try again' }).click();
  await expect(ringing(bob)).toBeVisible();
  await stage.requestAsAdmin(
    'POST',
    `/api/admin/calls/${(await stage.request(caller.id, 'GET', '/api/calls/active')).call_id}/end`,
    {},
  );
  await expect(over).toContainText('Ended by an administrator');

  await bob.reload();
  const list = bob.getByRole('list', { name: 'Your calls' }).getByRole('listitem');
  await expect(list).toContainText([
    'Ended by an administrator',
    'You were on another call',
    /\d:\d\d/,
    'You declined',
    'Cancelled by the caller',
  ]);
  await bob.getByRole('button', { name: 'Missed' }).click();
  await expect(bob).toHaveURL(/show=missed/);
  await expect(list).toHaveCount(3);
  await bob.getByLabel('Type').selectOption('Voice call');
  await expect(list).toHaveCount(1);
  await bob.goBack();
  const chat = (await stage.request(caller.id, 'GET', '/api/messages/conversations')).items[0].id as number;
  const notices = alice.getByRole('log', { name: 'Messages' }).getByText(/^(Voice|Video) call ·/);
  await alice.goto(`/conversations/${chat}`);
  await expect(notices).toContainText([
    'Voice call · Cancelled',
    'Voice call · Declined',
    'Video call · Busy',
    'Video call · Ended by an administrator',
  ]);
  // Simulated, because an unanswered call rings for ten minutes in these tests.
  await alice.route(`**/conversations/${chat}/messages?**`, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll('"cancelled"', '"ended"');
    await route.fulfill({ response, body: text.replaceAll('"caller_cancel"', '"no_answer"') });
  });
  await alice.reload();
  await expect(notices.first()).toContainText('Voice call · No answer');

  for (let more = 0; more < 20; more += 1) {
    const { call_id: each } = await stage.request(caller.id, 'POST', '/api/calls', body);
    await stage.request(caller.id, 'POST', `/api/calls/${each}/cancel`, {});
  }
  await alice.goto('/calls?page=2');
  await expect(alice.getByText('Page 2 of 2')).toBeVisible();
  await alice.getByRole('button', { name: 'Newer calls' }).click();
  await expect(alice.getByText('Page 1 of 2')).toBeVisible();
  await alice.goto('/calls/999999999');
  await expect(alice.getByRole('alert')).toContainText('Request ');
});
