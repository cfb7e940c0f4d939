import { findAccessibilityViolations } from '../support/accessibility';
import {
  call,
  callWindow,
  contactOf,
  createContacts,
  expectVideo,
  ringing,
  startCall,
} from '../support/call';
import { expect, test } from '../support/journey';

test('a call shares the screen and returns to the camera, switches cameras, and shows the quality of both sides', async ({
  stage,
}) => {
  const { alice, bob } = await startCall(stage);
  await expectVideo(bob);
  // The resolution adapts to the processor and the network, the shape does not.
  const shape = () =>
    bob
      .getByLabel(/^Video of/)
      .evaluate(({ videoWidth, videoHeight }: HTMLVideoElement) => (videoWidth / videoHeight).toFixed(2));
  await expect.poll(shape).toBe('1.33');
  await alice.setViewportSize({ width: 360, height: 740 });
  const controls = callWindow(alice).getByRole('group', { name: 'Call controls' }).getByRole('button');
  await expect(controls).toHaveCount(6);
  for (const control of await controls.all()) await expect(control).toBeInViewport({ ratio: 1 });
  await expect(callWindow(alice).getByRole('button', { name: 'Hang up' })).toBeVisible();
  // Beside the bar of a minimised call, the notice of a muted peer leaves room for the name.
  await bob.getByRole('button', { name: 'Mute microphone' }).click();
  await callWindow(alice).getByRole('button', { name: 'Minimize' }).click();
  await expect(callWindow(alice).getByText('王小明 is muted')).toBeAttached();
  await expect(callWindow(alice).getByRole('heading', { name: '王小明' })).toBeInViewport({ ratio: 1 });
  await callWindow(alice).getByRole('button', { name: 'Expand' }).click();
  await bob.getByRole('button', { name: 'Mute microphone', pressed: true }).click();
  await alice.setViewportSize({ width: 1280, height: 720 });
  await alice.getByRole('button', { name: 'Share screen' }).click();
  await expect(alice.getByText('You’re sharing your screen.')).toBeVisible();
  await expect.poll(shape).not.toBe('1.33');
  await expectVideo(bob);
  for (const text of ['You: Good connection', '王小明: Good connection'])
    await expect(alice.getByText(text)).toBeVisible();
  await expect(bob.getByText('Alice Winter: Good connection')).toBeVisible();
  expect(await findAccessibilityViolations(alice)).toEqual([]);
  await alice.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(alice.getByText('You’re sharing your screen.')).toHaveCount(0);
  await expect.poll(shape).toBe('1.33');

  const trackOf = () =>
    alice
      .getByLabel('Your video')
      .evaluate((video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0]?.label);
  const first = await trackOf();
  await alice.getByRole('button', { name: 'Switch camera' }).click();
  await expect.poll(trackOf).not.toBe(first);
  // Chromium's second fake camera is a depth sensor, whose pictures cannot be encoded.
  await alice.getByRole('button', { name: 'Switch camera' }).click();
  await expect.poll(trackOf).toBe(first);
  await expectVideo(bob);
});

test('devices are checked before a call is placed and before it is answered', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const [alice, bob] = [await stage.open(caller, '/calls'), await stage.open(callee, '/calls')];
  await alice.getByRole('button', { name: 'New call' }).click();
  const dialog = alice.getByRole('dialog', { name: 'New call' });
  await dialog.getByRole('combobox', { name: 'Search people to call' }).fill('王');
  await dialog.getByRole('option', { name: '王小明' }).click();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview.getByLabel('Your video')).toBeVisible();
  const level = (where: typeof preview) =>
    where.getByRole('meter', { name: 'Microphone level' }).evaluate((meter: HTMLMeterElement) => meter.value);
  // The fake microphone beeps once a second.
  await expect.poll(() => level(preview)).toBeGreaterThan(0.05);
  await expect(preview.getByLabel('Microphone', { exact: true }).getByRole('option')).not.toHaveCount(0);
  await preview.getByRole('button', { name: 'Turn off camera' }).click();
  await expect(preview.getByText('Your camera is off.')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await alice.emulateMedia({ colorScheme });
    expect(await findAccessibilityViolations(alice)).toEqual([]);
  }
  await dialog.getByRole('button', { name: 'Call 王小明' }).click();
  await expect(ringing(bob)).toBeVisible();
  await expect(alice.getByRole('button', { name: 'Turn off camera', pressed: true })).toBeVisible();

  await ringing(bob).getByRole('button', { name: 'Check camera and microphone' }).click();
  await expect(ringing(bob).getByLabel('Your video')).toBeVisible();
  await expect.poll(() => level(ringing(bob))).toBeGreaterThan(0.05);
  await ringing(bob).getByRole('button', { name: 'Mute microphone' }).click();
  expect(await findAccessibilityViolations(bob)).toEqual([]);
  await bob.getByRole('button', { name: 'Answer with video' }).click();
  await expectVideo(alice);
  await expect(callWindow(bob).getByRole('button', { name: 'Mute microphone', pressed: true })).toBeVisible();
});

test('an answered call replaces the error of a call that could not be placed meanwhile', async ({
  stage,
}) => {
  const [caller, callee] = await createContacts(stage);
  const carol = await stage.person({ name: 'Carol' });
  const page = await stage.open(caller, contactOf(callee));
  await page.evaluate(() => {
    const devices = navigator.mediaDevices;
    const getUserMedia = devices.getUserMedia.bind(devices);
    const allowed = new Promise((resolve) => window.addEventListener('test-allow', resolve));
    devices.getUserMedia = async (constraints) => {
      await allowed;
      return getUserMedia(constraints);
    };
  });
  await call(page, 'Voice call');
  await stage.request(carol.id, 'POST', '/api/calls', { callee_id: caller.id, media_type: 'audio' });
  await expect(ringing(page)).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('test-allow')));
  await ringing(page).getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Call with Carol' })).toBeVisible();
  await page.getByRole('button', { name: 'Hang up' }).click();
  await expect(page.getByRole('dialog', { name: /ended$/ })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
