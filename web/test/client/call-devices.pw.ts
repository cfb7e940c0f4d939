import type { Page } from '@playwright/test';
import { PLAIN_HOST } from '../../playwright.config';
import { expect, test } from '../support/journey';
import {
  call,
  callWindow,
  contactOf,
  RUNNING_DURATION,
  createContacts,
  ringing,
  expectVideo,
} from '../support/call';

/**
 * Makes the browser reject further requests for devices with an error of this name. `camera`: rejects only those for
 * the camera.
 */
const refuse = (page: Page, name: string, camera = false): Promise<void> =>
  page.evaluate(
    ([reason, isCamera]) => {
      const { mediaDevices } = navigator;
      const ask = MediaDevices.prototype.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = async (constraints) => {
        if (!isCamera || constraints?.video) throw new DOMException('', reason);
        return ask(constraints);
      };
    },
    [name, camera] as const,
  );

const REASONS = [
  ['NotAllowedError', 'Your browser blocked access to your microphone or camera.', 'Allow access'],
  ['NotFoundError', 'No microphone found.', 'Connect one'],
  ['NotReadableError', 'Your microphone or camera is in use by another app.', 'Close the other app'],
] as const;

test('a call tells denied, missing and busy devices apart, on both sides', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const [alice, bob] = [await stage.open(caller, contactOf(callee)), await stage.open(callee, '/calls')];
  for (const [name, reason, advice] of REASONS) {
    await refuse(alice, name);
    await call(alice);
    await expect(alice.getByRole('alert')).toContainText(reason);
    await expect(alice.getByRole('alert')).toContainText(advice);
    await alice.getByRole('button', { name: 'Close' }).click();
  }
  await expect(ringing(bob)).toBeHidden();

  await refuse(alice, 'NotReadableError', true);
  await call(alice);
  await expect(callWindow(alice).getByRole('alert')).toContainText('The call continues with audio only.');
  for (const [name, reason] of REASONS) {
    await refuse(bob, name);
    await bob.getByRole('button', { name: 'Answer with video' }).click();
    await expect(bob.getByRole('alert')).toContainText(reason);
  }
  await refuse(bob, 'NotAllowedError', true);
  await bob.getByRole('button', { name: 'Answer without video' }).click();
  await expect(callWindow(bob).getByRole('timer')).toHaveText(RUNNING_DURATION);
  await bob.getByRole('button', { name: 'Turn off camera', pressed: true }).click();
  await expect(callWindow(bob).getByRole('alert')).toContainText(
    'Your browser blocked access to your camera.',
  );
  await alice.evaluate(() => Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'));
  await alice.getByRole('button', { name: 'Turn off camera', pressed: true }).click();
  await expectVideo(bob);
});

test('over plain HTTP, a call explains that HTTPS is required', async ({ stage }) => {
  const [caller, callee] = await createContacts(stage);
  const origin = stage.service.url.replace('127.0.0.1', PLAIN_HOST);
  const alice = await stage.open(caller, contactOf(callee), {
    origin,
    mayLogErrors: /origin-keyed agent cluster/,
  });
  await call(alice);
  await expect(alice.getByRole('alert')).toContainText('Calls require HTTPS.');
  await expect(alice.getByRole('alert')).toContainText('Open this page over HTTPS');
  await alice.getByRole('button', { name: 'Close' }).click();

  const bob = await stage.open(callee, contactOf(caller));
  await call(bob);
  await expect(ringing(alice)).toBeVisible();
  await alice.getByRole('button', { name: 'Answer with video' }).click();
  await expect(alice.getByRole('alert')).toContainText('Calls require HTTPS.');
  await alice.getByRole('button', { name: 'Decline' }).click();
  await expect(bob.getByText('Alice Winter declined')).toBeVisible();
});
