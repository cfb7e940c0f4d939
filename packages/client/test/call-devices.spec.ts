import { CallboardError } from '../src/index.js';
import { LocalMedia } from '../src/calls/index.js';
import { CallDevices } from '../src/calls/call-devices.js';
import { FakeStream } from './support/fake-calls.js';

/** A track with the parts that a call uses; `end` is the user's click on the browser's button that stops sharing. */
class FakeTrack extends EventTarget {
  enabled = true;
  contentHint = '';
  constructor(
    readonly kind: 'audio' | 'video',
    readonly id: string,
    private readonly settings: MediaTrackSettings = {},
  ) {
    super();
  }
  getSettings = (): MediaTrackSettings => this.settings;
  stop = (): void => undefined;
  end = (): boolean => this.dispatchEvent(new Event('ended'));
}

const streamOf = (...tracks: FakeTrack[]): MediaStream => new FakeStream(tracks as never) as never;

describe('CallDevices', () => {
  const sent: unknown[] = [];
  const asked: unknown[] = [];
  let screen: FakeTrack;
  let cameras: Pick<MediaDeviceInfo, 'kind' | 'deviceId'>[];
  let choose: () => Promise<MediaStream>;
  let front: MediaTrackSettings;

  beforeEach(() => {
    sent.length = 0;
    asked.length = 0;
    screen = new FakeTrack('video', 'screen');
    choose = async () => streamOf(screen);
    front = { deviceId: 'front', facingMode: 'user' };
    cameras = [
      { kind: 'videoinput', deviceId: 'front' },
      { kind: 'videoinput', deviceId: 'back' },
    ];
    Object.defineProperty(globalThis, 'navigator', {
      configurable: true,
      value: { mediaDevices: { getDisplayMedia: () => choose(), enumerateDevices: async () => cameras } },
    });
  });
  afterAll(() => Reflect.deleteProperty(globalThis, 'navigator'));

  async function open(): Promise<CallDevices> {
    const devices = new CallDevices(() => undefined);
    devices.local = await LocalMedia.open('video', async (constraints) => {
      asked.push(constraints.video);
      const isFirst = constraints.audio === true;
      return isFirst
        ? streamOf(new FakeTrack('audio', 'microphone'), new FakeTrack('video', 'camera', front))
        : streamOf(new FakeTrack('video', 'other camera'));
    });
    devices.connection = {
      send: async (kind, track) => void sent.push([kind, track?.id ?? null]),
      renewed: async () => undefined,
      close: () => undefined,
    };
    return devices;
  }
  const isRunning = () => false;

  it('sends the screen instead of the camera, and the camera again when the user stops in the browser', async () => {
    const devices = await open();
    await devices.shareScreen(true, isRunning);
    expect([devices.isSharing, devices.hasCamera, screen.contentHint]).toEqual([true, true, 'detail']);
    // A new connection after an interruption sends the screen too.
    expect(devices.local?.tracks().map(({ id }) => id)).toEqual(['microphone', 'screen']);
    await devices.use('video');
    screen.end();
    expect(devices.isSharing).toBe(false);
    expect(sent).toEqual([
      ['video', 'screen'],
      ['video', 'screen'],
      ['video', 'other camera'],
    ]);
  });

  it('sends no video after sharing when the camera is off', async () => {
    const devices = await open();
    await devices.stopCamera();
    await devices.shareScreen(true, isRunning);
    await devices.shareScreen(false, isRunning);
    expect(sent).toEqual([
      ['video', null],
      ['video', 'screen'],
      ['video', null],
    ]);
  });

  it('keeps the camera when the user cancels the choice of a screen, or the call ends meanwhile', async () => {
    const devices = await open();
    choose = async () => {
      throw Object.assign(new Error('Cancelled'), { name: 'NotAllowedError' });
    };
    const error: unknown = await devices.shareScreen(true, isRunning).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallboardError);
    expect(error).toMatchObject({ code: 'media_refused' });
    choose = async () => streamOf(screen);
    await devices.shareScreen(true, () => true);
    expect(devices.isSharing).toBe(false);
    expect(sent).toEqual([['video', 'camera']]);
  });

  it.each([
    ['the opposite one where the browser knows it', 'user', { facingMode: 'environment' }],
    ['the next one otherwise', undefined, { deviceId: { exact: 'back' } }],
  ])('switches the camera: %s', async (_, facingMode, constraint) => {
    front = { deviceId: 'front', facingMode };
    const devices = await open();
    expect(await devices.flipCamera()).toBe(true);
    expect(asked.at(-1)).toEqual(constraint);
    expect(sent).toEqual([['video', 'other camera']]);
  });

  it('does not switch the only camera', async () => {
    cameras = [{ kind: 'videoinput', deviceId: 'front' }];
    const devices = await open();
    expect(await devices.flipCamera()).toBe(false);
    expect(sent).toEqual([]);
  });
});
