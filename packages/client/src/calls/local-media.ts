import { CallboardError, type ClientErrorCode } from '../errors.js';
import type { MediaKind } from './media/media.js';
import { rememberedDevices } from './terminal-id.js';

/** Asks for camera and microphone, as `navigator.mediaDevices.getUserMedia` does. */
export type GetUserMedia = (constraints: MediaStreamConstraints) => Promise<MediaStream>;

const CODES: Record<string, ClientErrorCode> = {
  NotAllowedError: 'media_refused',
  SecurityError: 'media_refused',
  NotFoundError: 'media_missing',
  OverconstrainedError: 'media_missing',
  NotReadableError: 'media_busy',
  AbortError: 'media_busy',
};

/** Microphone and camera of this terminal, while it is in a call. */
export class LocalMedia {
  /** What one sees of oneself. */
  readonly stream: MediaStream;
  readonly #getUserMedia: GetUserMedia;
  /** Why there is no camera although one was asked for. */
  readonly cameraError: CallboardError | undefined;
  #isMuted = false;

  private constructor(stream: MediaStream, getUserMedia: GetUserMedia, cameraError?: CallboardError) {
    this.stream = stream;
    this.#getUserMedia = getUserMedia;
    this.cameraError = cameraError;
  }

  /**
   * Asks for the microphone, and for `video` the camera; without a camera that works the call goes on without pictures.
   * @throws {CallboardError} `needs_https`, `media_refused`, `media_missing`, `media_busy`
   */
  static async open(type: 'audio' | 'video', getUserMedia: GetUserMedia = devices): Promise<LocalMedia> {
    try {
      const stream = await ask(getUserMedia, { audio: true, video: type === 'video' });
      return new LocalMedia(stream, getUserMedia);
    } catch (error) {
      const reason = error as CallboardError;
      const isCamera = type === 'video' && reason.code !== 'media_refused';
      if (!isCamera || reason.code === 'needs_https') throw error;
      return new LocalMedia(await ask(getUserMedia, { audio: true, video: false }), getUserMedia, reason);
    }
  }

  /** Microphones, cameras and speakers that there are; speakers are chosen where the sound is played (`setSinkId`). */
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

  /** Ends the camera, whose light goes out. */
  stopCamera(): void {
    this.#replace('video', null);
  }

  /** Takes another device, or the camera again. Answers the track to send. @throws {CallboardError} as `open` */
  async use(kind: MediaKind, deviceId?: string): Promise<MediaStreamTrack> {
    const device = deviceId === undefined ? true : { deviceId: { exact: deviceId } };
    const [track] = (await ask(this.#getUserMedia, { [kind]: device })).getTracks();
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

/** Opens microphone and camera as the page before this one had them: muted where they were, and without the camera. */
export async function reopenMedia(
  open: (type: 'audio' | 'video') => Promise<LocalMedia>,
  type: 'audio' | 'video',
): Promise<LocalMedia> {
  const before = rememberedDevices();
  const local = await open(before?.hasCamera === false ? 'audio' : type);
  local.mute(before?.isMuted ?? false);
  return local;
}

/** Browsers give them to pages over https and on localhost only. */
const devices: GetUserMedia = async (constraints) => {
  const found = globalThis.navigator?.mediaDevices;
  if (found === undefined) throw new CallboardError('needs_https');
  return found.getUserMedia(constraints);
};

async function ask(getUserMedia: GetUserMedia, constraints: MediaStreamConstraints): Promise<MediaStream> {
  try {
    return await getUserMedia(constraints);
  } catch (cause) {
    if (cause instanceof CallboardError) throw cause;
    throw new CallboardError(CODES[(cause as Error).name] ?? 'media_busy', undefined, { cause });
  }
}
