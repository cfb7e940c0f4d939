import { CallboardError, type ClientErrorCode } from '../errors.js';
import type { MediaKind } from './media/media.js';
import { rememberedDevices } from './terminal-id.js';

/** Opens camera and microphone, as `navigator.mediaDevices.getUserMedia` does. */
export type GetUserMedia = (constraints: MediaStreamConstraints) => Promise<MediaStream>;

const CODES: Record<string, ClientErrorCode> = {
  NotAllowedError: 'media_refused',
  SecurityError: 'media_refused',
  NotFoundError: 'media_missing',
  OverconstrainedError: 'media_missing',
  NotReadableError: 'media_busy',
  AbortError: 'media_busy',
};

/** The camera on the other side of a phone. */
const OPPOSITES: Partial<Record<string, string>> = { user: 'environment', environment: 'user' };

/** Microphone, camera and shared screen of this terminal during a call. */
export class LocalMedia {
  /** The local preview. */
  readonly stream: MediaStream;
  readonly #getUserMedia: GetUserMedia;
  /** The reason why there is no camera although one was requested. */
  readonly cameraError: CallboardError | undefined;
  /** Called when a microphone or camera in use was disconnected, or the browser withdrew its permission. */
  onDeviceLost: (kind: MediaKind) => void = () => undefined;
  #isMuted = false;
  #screen: MediaStreamTrack | undefined;
  #isStopped = false;

  private constructor(stream: MediaStream, getUserMedia: GetUserMedia, cameraError?: CallboardError) {
    this.stream = stream;
    this.#getUserMedia = getUserMedia;
    this.cameraError = cameraError;
    for (const track of stream.getTracks()) this.#watch(track);
  }

  /**
   * Opens the microphone, and for `video` the camera. If the camera is missing or fails, opens the microphone only.
   * @throws {CallboardError} `needs_https`, `media_refused`, `media_missing`, `media_busy`
   */
  static async open(type: 'audio' | 'video', getUserMedia: GetUserMedia = browserMedia): Promise<LocalMedia> {
    try {
      const stream = await requestMedia(getUserMedia, { audio: true, video: type === 'video' });
      return new LocalMedia(stream, getUserMedia);
    } catch (error) {
      const reason = error as CallboardError;
      const isCamera = type === 'video' && reason.code !== 'media_refused';
      if (!isCamera || reason.code === 'needs_https') throw error;
      return new LocalMedia(
        await requestMedia(getUserMedia, { audio: true, video: false }),
        getUserMedia,
        reason,
      );
    }
  }

  /** Lists microphones, cameras and speakers. A speaker is selected on the media element (`setSinkId`). */
  static async devices(): Promise<MediaDeviceInfo[]> {
    return (await globalThis.navigator?.mediaDevices?.enumerateDevices()) ?? [];
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  get hasCamera(): boolean {
    return this.stream.getVideoTracks().length > 0;
  }

  /** Whether the screen is sent instead of the camera. */
  get isSharing(): boolean {
    return this.#screen !== undefined;
  }

  /** Tracks to send: the microphone, and the screen or else the camera. */
  tracks = (): MediaStreamTrack[] => [
    ...this.stream.getAudioTracks(),
    ...(this.#screen === undefined ? this.stream.getVideoTracks() : [this.#screen]),
  ];

  /** Returns the track of a kind to send; null if there is none. */
  trackOf(kind: MediaKind): MediaStreamTrack | null {
    return this.tracks().find((track) => track.kind === kind) ?? null;
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    for (const track of this.stream.getAudioTracks()) track.enabled = !isMuted;
  }

  /** Stops the camera, so that its light turns off. */
  stopCamera(): void {
    this.#replace('video', null);
  }

  /**
   * Opens another device, or the camera again. Returns the track to send, which is stopped if `stop` was called meanwhile.
   * @throws {CallboardError} as `open`
   */
  async use(kind: MediaKind, deviceId?: string): Promise<MediaStreamTrack> {
    return this.#openTrack(kind, deviceId === undefined ? true : { deviceId: { exact: deviceId } });
  }

  async #openTrack(kind: MediaKind, device: true | MediaTrackConstraints): Promise<MediaStreamTrack> {
    const [track] = (await requestMedia(this.#getUserMedia, { [kind]: device })).getTracks();
    if (track === undefined) throw new CallboardError('media_missing');
    if (kind === 'audio') track.enabled = !this.#isMuted;
    // The media were stopped while the browser was opening the device, which would stay on.
    if (this.#isStopped) track.stop();
    else this.#replace(kind, track);
    return track;
  }

  /**
   * Switches between the front and the back camera, or to the next one if the browser does not say where the cameras are. Returns
   * false if there is only one. @throws {CallboardError} as `open`
   */
  async flipCamera(): Promise<boolean> {
    const current = this.stream.getVideoTracks()[0]?.getSettings();
    const cameras = (await LocalMedia.devices()).filter(({ kind }) => kind === 'videoinput');
    if (current === undefined || cameras.length < 2) return false;
    const opposite = OPPOSITES[current.facingMode ?? ''];
    const index = cameras.findIndex(({ deviceId }) => deviceId === current.deviceId);
    const next = cameras[(index + 1) % cameras.length]?.deviceId;
    // Phones open one camera at a time.
    this.stopCamera();
    await this.#openTrack(
      'video',
      opposite === undefined ? { deviceId: { exact: next } } : { facingMode: opposite },
    );
    return true;
  }

  /**
   * Lets the user choose a screen or window, which is then sent instead of the camera. `onEnd` is called when the user stops sharing
   * in the browser. @throws {CallboardError} `media_refused` if the user cancels; `needs_https`
   */
  async shareScreen(onEnd: () => void): Promise<void> {
    const mediaDevices = globalThis.navigator?.mediaDevices;
    if (mediaDevices?.getDisplayMedia === undefined) throw new CallboardError('needs_https');
    const stream = await requestMedia(() => mediaDevices.getDisplayMedia({ video: true }), {});
    const [track] = stream.getVideoTracks();
    if (track === undefined) throw new CallboardError('media_missing');
    // Text stays sharp when the bandwidth is low; the frame rate drops instead.
    track.contentHint = 'detail';
    track.addEventListener('ended', () => {
      if (this.#screen !== track) return;
      this.#screen = undefined;
      onEnd();
    });
    this.stopSharing();
    this.#screen = track;
  }

  /** Sends the camera again, if it is on. */
  stopSharing(): void {
    this.#screen?.stop();
    this.#screen = undefined;
  }

  /** Stops all devices permanently, also one that the browser is still opening. */
  stop(): void {
    this.#isStopped = true;
    this.stopSharing();
    for (const track of this.stream.getTracks()) track.stop();
  }

  /** Reports the loss of a track's device. Browsers fire no `ended` for a track that the page stops. */
  #watch(track: MediaStreamTrack): void {
    track.addEventListener('ended', () => {
      const isInUse = !this.#isStopped && this.stream.getTracks().includes(track);
      if (isInUse) this.onDeviceLost(track.kind as MediaKind);
    });
  }

  #replace(kind: MediaKind, track: MediaStreamTrack | null): void {
    for (const old of this.stream.getTracks()) {
      if (old.kind !== kind) continue;
      old.stop();
      this.stream.removeTrack(old);
    }
    if (track === null) return;
    this.stream.addTrack(track);
    this.#watch(track);
  }
}

/** Opens microphone and camera in the state before a reload: muted, and without the camera, if they were. */
export async function reopenMedia(
  open: (type: 'audio' | 'video') => Promise<LocalMedia>,
  type: 'audio' | 'video',
): Promise<LocalMedia> {
  const remembered = rememberedDevices();
  const local = await open(remembered?.hasCamera === false ? 'audio' : type);
  local.mute(remembered?.isMuted ?? false);
  return local;
}

/** The browser's `getUserMedia`, which exists only in pages over https and on localhost. */
const browserMedia: GetUserMedia = async (constraints) => {
  const mediaDevices = globalThis.navigator?.mediaDevices;
  if (mediaDevices === undefined) throw new CallboardError('needs_https');
  return mediaDevices.getUserMedia(constraints);
};

async function requestMedia(
  getUserMedia: GetUserMedia,
  constraints: MediaStreamConstraints,
): Promise<MediaStream> {
  try {
    return await getUserMedia(constraints);
  } catch (cause) {
    if (cause instanceof CallboardError) throw cause;
    throw new CallboardError(CODES[(cause as Error).name] ?? 'media_busy', undefined, { cause });
  }
}
