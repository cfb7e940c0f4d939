import { CallboardError } from '../src/index.js';
import { LocalMedia } from '../src/calls/index.js';
import { CallDevices } from '../src/calls/call-devices.js';
import { FakeStream } from './support/fake-calls.js';

/**
 * A track with the parts that a call uses. `end` is the user's click on the browser's button that stops sharing, or the
 * disconnection of the device.
 */
class FakeTrack extends EventTarget {
  enabled = true;
  contentHint = '';
  readyState: MediaStreamTrackState = 'live';
  constructor(
    readonly kind: 'audio' | 'video',
    readonly id: string,
    private readonly settings: MediaTrackSettings = {},
  ) {
    super();
  }
  getSettings = (): MediaTrackSettings => this.settings;
  stop = (): void => void (this.readyState = 'ended');
  end = (): boolean => {
    this.readyState = 'ended';
    return this.dispatchEvent(new Event('ended'));
  };
}

const streamOf = (...tracks: FakeTrack[]): MediaStream => new FakeStream(tracks as never) as never;

describe('CallDevices', () => {
  const sent: unknown[] = [];
  const asked: unknown[] = [];
  let screen: FakeTrack;
  let cameras: Pick<MediaDeviceInfo, 'kind' | 'deviceId'>[];
  let choose: () => Promise<MediaStream>;
  let front: MediaTrackSettings;
  /** Opens another device for a change of devices. */
  let reopen: () => Promise<MediaStream>;

  beforeEach(() => {
    sent.length = 0;
    asked.length = 0;
    screen = new FakeTrack('video', 'screen');
    choose = async () => streamOf(screen);
    front = { deviceId: 'front', facingMode: 'user' };
    reopen = async () => streamOf(new FakeTrack('video', 'other camera'));
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
      const isFirst = constraints.audio === true && constraints.video === true;
      return isFirst
        ? streamOf(new FakeTrack('audio', 'microphone'), new FakeTrack('video', 'camera', front))
        : reopen();
    });
    devices.connection = {
      send: async (kind, track) => void sent.push([kind, track?.id ?? null]),
      renewed: async () => undefined,
      close: () => undefined,
    };
    return devices;
  }
  const isRunning = () => false;
  const end = (track: MediaStreamTrack | null | undefined): unknown =>
    (track as FakeTrack | undefined)?.end();
  /** Resolves after the next track was sent. */
  const nextSend = (devices: CallDevices): Promise<void> =>
    new Promise((resolve) => {
      const { connection } = devices;
      if (connection !== undefined)
        devices.connection = {
          ...connection,
          send: async (...parts) => {
            await connection.send(...parts);
            resolve();
          },
        };
    });

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

  it('stops sending video when the next camera cannot be opened', async () => {
    const devices = await open();
    reopen = async () => {
      throw Object.assign(new Error('In use'), { name: 'NotReadableError' });
    };
    await expect(devices.flipCamera()).rejects.toMatchObject({ code: 'media_busy' });
    expect(sent).toEqual([['video', null]]);
  });

  it.each([
    ['turned on', (devices: CallDevices) => devices.use('video')],
    ['switched', (devices: CallDevices) => devices.use('video', 'back')],
    ['flipped', (devices: CallDevices) => devices.flipCamera()],
  ])('stops a camera that is %s while the call ends, and does not send it', async (_, change) => {
    const devices = await open();
    const camera = new FakeTrack('video', 'other camera');
    const permission = Promise.withResolvers<MediaStream>();
    const opening = Promise.withResolvers<void>();
    reopen = () => {
      opening.resolve();
      return permission.promise;
    };
    const changing = change(devices);
    await opening.promise;
    devices.close();
    permission.resolve(streamOf(camera));
    await changing;
    expect(camera.readyState).toBe('ended');
    expect(devices.local?.tracks().filter(({ readyState }) => readyState === 'live')).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('stops a device that opens after the media of a preview were stopped', async () => {
    const permission = Promise.withResolvers<MediaStream>();
    let opened = 0;
    const local = await LocalMedia.open('audio', async () => {
      opened += 1;
      return opened === 1 ? streamOf(new FakeTrack('audio', 'microphone')) : permission.promise;
    });
    const changing = local.use('audio', 'headset');
    local.stop();
    permission.resolve(streamOf(new FakeTrack('audio', 'headset')));
    expect((await changing).readyState).toBe('ended');
    expect(local.stream.getTracks().map(({ id, readyState }) => [id, readyState])).toEqual([
      ['microphone', 'ended'],
    ]);
  });

  it.each(['audio', 'video'] as const)(
    'opens the default device when the one of %s is disconnected',
    async (kind) => {
      const devices = await open();
      devices.mute(true);
      reopen = async () => streamOf(new FakeTrack(kind, 'default device'));
      const isSent = nextSend(devices);
      end(devices.local?.trackOf(kind));
      await isSent;
      expect(sent).toEqual([[kind, 'default device']]);
      expect(devices.local?.stream.getTracks()).toHaveLength(2);
      expect([devices.isMuted, devices.local?.trackOf('audio')?.enabled, devices.error]).toEqual([
        true,
        false,
        undefined,
      ]);
    },
  );

  it.each(['audio', 'video'] as const)(
    'opens the default device when the one of %s was disconnected during the preview',
    async (kind) => {
      const preview = await LocalMedia.open('video', async ({ audio, video }) =>
        audio && video
          ? streamOf(new FakeTrack('audio', 'microphone'), new FakeTrack('video', 'camera'))
          : reopen(),
      );
      reopen = async () => streamOf(new FakeTrack(kind, 'default device'));
      end(preview.trackOf(kind));
      const devices = new CallDevices(() => undefined);
      devices.local = preview;
      await new Promise((resolve) => setImmediate(resolve));
      expect(devices.local.trackOf(kind)?.id).toBe('default device');
    },
  );

  it('exposes the error of a disconnected camera without a replacement until a camera is opened', async () => {
    const devices = await open();
    reopen = async () => {
      throw Object.assign(new Error('Unplugged'), { name: 'NotFoundError' });
    };
    const isSent = nextSend(devices);
    end(devices.local?.trackOf('video'));
    await isSent;
    expect([devices.error?.code, devices.hasCamera, sent]).toEqual([
      'media_missing',
      false,
      [['video', null]],
    ]);
    reopen = async () => streamOf(new FakeTrack('video', 'other camera'));
    await devices.use('video');
    expect(devices.error).toBeUndefined();
  });

  it('does not switch the only camera', async () => {
    cameras = [{ kind: 'videoinput', deviceId: 'front' }];
    const devices = await open();
    expect(await devices.flipCamera()).toBe(false);
    expect(sent).toEqual([]);
  });
});
