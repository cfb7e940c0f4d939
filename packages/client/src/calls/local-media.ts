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

/** Microphone and camera of this terminal during a call. */
export class LocalMedia {
  /** The local preview. */
  readonly stream: MediaStream;
  readonly #getUserMedia: GetUserMedia;
  /** The reason why there is no camera although one was requested. */
  readonly cameraError: CallboardError | undefined;
  #isMuted = false;

  private constructor(stream: MediaStream, getUserMedia: GetUserMedia, cameraError?: CallboardError) {
    this.stream = stream;
    this.#getUserMedia = getUserMedia;
    this.cameraError = cameraError;
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

  tracks = (): MediaStreamTrack[] => this.stream.getTracks();

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    for (const track of this.stream.getAudioTracks()) track.enabled = !isMuted;
  }

  /** Stops the camera, so that its light turns off. */
  stopCamera(): void {
    this.#replace('video', null);
  }

  /** Opens another device, or the camera again. Returns the track to send. @throws {CallboardError} as `open` */
  async use(kind: MediaKind, deviceId?: string): Promise<MediaStreamTrack> {
    const device = deviceId === undefined ? true : { deviceId: { exact: deviceId } };
    const [track] = (await requestMedia(this.#getUserMedia, { [kind]: device })).getTracks();
    if (track === undefined) throw new CallboardError('media_missing');
    if (kind === 'audio') track.enabled = !this.#isMuted;
    this.#replace(kind, track);
    return track;
  }

  stop(): void {
    for (const track of this.stream.getTracks()) track.stop();
  }

  #replace(kind: MediaKind, track: MediaStreamTrack | null): void {
    for (const old of this.stream.getTracks()) {
      if (old.kind !== kind) continue;
      old.stop();
      this.stream.removeTrack(old);
    }
    if (track !== null) this.stream.addTrack(track);
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
