import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../../test/support/service-process';
import { NEVER_MS, timingEnvironment } from '../../../test/support/timings';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, JOURNEY_ENVIRONMENT, test } from '../support/journey';
import { Stage } from '../support/stage';
import {
  call,
  contactOf,
  RUNNING_DURATION,
  createContacts,
  ringing,
  expectVideo,
  startCall,
} from '../support/call';

for (const colorScheme of ['light', 'dark'] as const)
  test(`every state of a call works by keyboard without accessibility violations, in ${colorScheme}`, async ({
    stage,
  }) => {
    const [caller, callee] = await createContacts(stage);
    const alice = await stage.open(caller, contactOf(callee), { options: { colorScheme } });
    const bob = await stage.open(callee, '/calls', { options: { colorScheme } });
    await expect(bob.getByText('No calls yet.')).toBeVisible();
    expect(await findAccessibilityViolations(bob)).toEqual([]);
    await alice.getByRole('button', { name: 'Video call' }).press('Enter');
    await expect(ringing(bob)).toBeFocused();
    expect(await findAccessibilityViolations(bob)).toEqual([]);
    expect(await findAccessibilityViolations(alice)).toEqual([]);

    await bob.keyboard.press('Escape');
    await expect(bob.getByRole('button', { name: 'Silence ringtone' })).toBeHidden();
    await expect(ringing(bob)).toBeVisible();
    expect(await findAccessibilityViolations(bob)).toEqual([]);
    await bob.getByRole('button', { name: 'Answer with video' }).press('Enter');
    await Promise.all([expectVideo(alice), expectVideo(bob)]);
    expect(await findAccessibilityViolations(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Audio and video devices' }).press('Enter');
    await expect(alice.getByLabel('Speaker')).toBeVisible();
    expect(await findAccessibilityViolations(alice)).toEqual([]);
    await alice.keyboard.press('Escape');
    await expect(alice.getByRole('button', { name: 'Expand' })).toBeVisible();
    await expect(alice.getByRole('button', { name: 'Video call' })).toBeFocused();
    expect(await findAccessibilityViolations(alice)).toEqual([]);
    await bob.getByRole('button', { name: 'Hang up' }).press('Enter');
    for (const page of [alice, bob]) {
      await expect(page.getByRole('dialog', { name: /ended$/ })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }
    await bob.getByRole('button', { name: 'Close' }).press('Enter');
    await bob.getByRole('list', { name: 'Your calls' }).getByRole('link').press('Enter');
    await expect(bob.getByRole('definition').first()).toHaveText('Call ended');
    expect(await findAccessibilityViolations(bob)).toEqual([]);

    await alice.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('', 'NotAllowedError');
      };
    });
    await alice.getByRole('button', { name: 'Call again' }).press('Enter');
    await expect(alice.getByRole('alert')).toBeVisible();
    expect(await findAccessibilityViolations(alice)).toEqual([]);
    await alice.keyboard.press('Escape');
    await expect(alice.getByRole('alert')).toBeHidden();
  });

test('a call in Chinese fits a phone', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const options = { locale: 'zh-CN', viewport: { width: 360, height: 720 } };
  const alice = await stage.open(caller, contactOf(callee), { options });
  const bob = await stage.open(callee, '/calls', { options });
  await alice.getByRole('button', { name: '语音通话' }).click();
  const incoming = bob.getByRole('dialog', { name: 'Alice Winter 的语音来电' });
  await incoming.getByRole('button', { name: '接听' }).click();
  const running = alice.getByRole('dialog', { name: '与 王小明 通话' });
  await expect(running.getByRole('timer', { name: '通话时长' })).toHaveText(RUNNING_DURATION);
  expect(await findAccessibilityViolations(alice)).toEqual([]);
  await running.getByRole('button', { name: '最小化' }).click();
  for (const page of [alice, bob])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await alice.getByRole('link', { name: '返回列表' }).click();
  await alice.getByRole('link', { name: '通话', exact: true }).click();
  await alice.getByRole('button', { name: '挂断' }).click();
  await expect(bob.getByText('通话已结束', { exact: false }).first()).toBeVisible();
  await expect(alice.getByRole('list', { name: '通话记录' }).getByRole('listitem')).toContainText('呼出');
  expect(await findAccessibilityViolations(alice)).toEqual([]);
  await expect.poll(() => alice.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('a call rings in a tab whose browser is never idle, as in the background', async ({ stage }) => {
  const [alice, bob] = await createContacts(stage);
  const page = await stage.emptyTab(bob);
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      requestIdleCallback: ((callback, { timeout } = {}) =>
        timeout === undefined
          ? 0
          : window.setTimeout(
              () => callback({ didTimeout: true, timeRemaining: () => 0 }),
              timeout,
            )) satisfies typeof requestIdleCallback,
    });
  });
  await page.goto('/');
  await stage.request(alice.id, 'POST', '/api/calls', { callee_id: bob.id, media_type: 'audio' });
  await expect(ringing(page)).toBeVisible();
});

test('a call survives a restart of the service', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-restart-'));
  // The call must not end because no report arrives during a slow restart.
  const timings = timingEnvironment({ terminalLeaseMs: NEVER_MS });
  const environment = { ...JOURNEY_ENVIRONMENT, ...timings };
  const service = await ServiceProcess.start(`sqlite:${join(folder, 'test.sqlite')}`, environment);
  const stage = new Stage(browser, service);
  try {
    const { alice, bob } = await startCall(stage, /Failed to load resource|ERR_|net::/);
    await service.kill();
    // Media continue while the service is down.
    await Promise.all([service.startAgain(), expectVideo(alice), expectVideo(bob)]);
    await Promise.all([expectVideo(alice), expectVideo(bob)]);
    await bob.getByRole('button', { name: 'Hang up' }).click();
    await expect(alice.getByRole('dialog', { name: /ended$/ })).toContainText('Call ended');
    await bob.getByRole('button', { name: 'Close' }).click();
    await expect(bob.getByRole('list', { name: 'Your calls' }).getByRole('listitem')).toHaveCount(1);
    await call(alice);
    await expect(ringing(bob)).toBeVisible();
  } finally {
    await stage.clear();
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the caller reads the reason of an administrator who ends a ringing call', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const alice = await stage.open(caller, contactOf(callee));
  const bob = await stage.open(callee, '/calls');
  await call(alice);
  await expect(ringing(bob)).toBeVisible();
  const { call_id: id } = await stage.request(caller.id, 'GET', '/api/calls/active');
  await stage.requestAsAdmin('POST', `/api/admin/calls/${id}/end`, { reason: 'maintenance' });
  await expect(alice.getByRole('dialog', { name: /ended$/ })).toContainText('Call ended: maintenance');
});
