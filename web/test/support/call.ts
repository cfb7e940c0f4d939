import { expect, type Locator, type Page } from '@playwright/test';
import type { Person, Stage } from './stage';

/** Creates two users with a common chat, so that they see each other's presence. */
export async function createContacts(stage: Stage): Promise<[alice: Person, bob: Person]> {
  const [alice, bob] = [await stage.person({ name: 'Alice Winter' }), await stage.person({ name: '王小明' })];
  await stage.request(alice.id, 'POST', '/api/messages/conversations', { type: 'single', peer_id: bob.id });
  return [alice, bob];
}

/** Path of a user's profile in the contacts, which has the call buttons. */
export const contactOf = ({ id }: Person): string => `/contacts?person=${id}`;

/** Matches the timer of a call that has lasted for at least one second. */
export const RUNNING_DURATION = /^\d+:(?!00$)\d\d$/;

export const callWindow = (page: Page): Locator => page.getByRole('dialog', { name: /^Call with/ });
export const ringing = (page: Page): Locator => page.getByRole('dialog', { name: /^(Video call|Call) from/ });

/** Starts a call from the open profile. */
export const call = (page: Page, kind: 'Voice call' | 'Video call' = 'Video call'): Promise<void> =>
  page.getByRole('button', { name: kind, exact: true }).click();

/** Returns the number of displayed frames of the peer's video. */
const framesOf = (page: Page): Promise<number> =>
  page
    .getByLabel(/^Video of/)
    .evaluate((video: HTMLVideoElement) => video.getVideoPlaybackQuality().totalVideoFrames);

/** Waits until frames of the peer's video arrive. */
export async function expectVideo(page: Page): Promise<void> {
  const before = await framesOf(page);
  await expect.poll(() => framesOf(page)).toBeGreaterThan(before + 5);
}

/** Chromium's access to the samples of a track; missing in TypeScript's types. */
declare class MediaStreamTrackProcessor {
  constructor(init: { track: MediaStreamTrack });
  readonly readable: ReadableStream<AudioData>;
}

/** Number of 10 ms chunks. Two seconds contain at least one beep of a fake microphone, which beeps once a second. */
const AUDIO_WINDOWS = 200;

/**
 * Returns the peak volume of the next two seconds of the peer's audio, from 0 (silence) to 128. Measures audio
 * duration, not elapsed time.
 */
const loudnessOf = (page: Page): Promise<number> =>
  page.getByLabel(/^Video of/).evaluate(async (video: HTMLVideoElement, count) => {
    const [track] = (video.srcObject as MediaStream).getAudioTracks();
    if (track === undefined) return 0;
    const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
    let loudest = 0;
    for (let part = 0; part < count; part += 1) {
      const { value } = await reader.read();
      if (value === undefined) break;
      const samples = new Float32Array(value.numberOfFrames);
      value.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
      value.close();
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
    }
    await reader.cancel();
    return loudest * 128;
  }, AUDIO_WINDOWS);

/** Waits until the peer is audible. */
export const expectAudio = (page: Page): Promise<void> =>
  expect.poll(() => loudnessOf(page)).toBeGreaterThan(5);

/** Waits until the peer is silent. */
export const expectSilence = (page: Page): Promise<void> =>
  expect.poll(() => loudnessOf(page)).toBeLessThan(2);

/** Starts a video call and waits until both see each other. */
export async function startCall(
  stage: Stage,
  mayLogErrors?: RegExp,
): Promise<{ alice: Page; bob: Page; people: [Person, Person] }> {
  const people = await createContacts(stage);
  const alice = await stage.open(people[0], contactOf(people[1]), { mayLogErrors });
  const bob = await stage.open(people[1], '/calls', { mayLogErrors });
  await expect(alice.getByText('Online', { exact: true }).first()).toBeVisible();
  await call(alice);
  await bob.getByRole('button', { name: 'Answer with video' }).click();
  await Promise.all([expectVideo(alice), expectVideo(bob)]);
  return { alice, bob, people };
}
