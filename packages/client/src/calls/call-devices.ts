import { CallboardError } from '../errors.js';
import type { LocalMedia } from './local-media.js';
import type { MediaConnection, MediaKind } from './media/media.js';

/** Microphone, camera and screen of a call, and which of them its connection sends. */
export class CallDevices {
  /** Undefined until the media are connected, and after `close`. */
  connection: MediaConnection | undefined;
  readonly #onChange: () => void;
  /** Errors of devices that were disconnected and have no replacement. */
  #lost: Partial<Record<MediaKind, CallboardError>> = {};
  #local: LocalMedia | undefined;

  /** @param onChange called after each change, also one that the browser causes */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Undefined until the browser allowed the devices. */
  get local(): LocalMedia | undefined {
    return this.#local;
  }

  set local(local: LocalMedia | undefined) {
    this.#local = local;
    this.#lost = {};
    if (local === undefined) return;
    local.onDeviceLost = (kind) => void this.#replaceLost(kind).catch(() => undefined);
    // A device that was disconnected during the preview has fired its event already.
    for (const { kind, readyState } of local.stream.getTracks())
      if (readyState === 'ended') local.onDeviceLost(kind as MediaKind);
  }

  /** The reason why there is no microphone or camera. */
  get error(): CallboardError | undefined {
    return this.#lost.audio ?? this.#lost.video ?? (this.hasCamera ? undefined : this.local?.cameraError);
  }

  get isMuted(): boolean {
    return this.local?.isMuted ?? false;
  }

  get hasCamera(): boolean {
    return this.local?.hasCamera ?? false;
  }

  get isSharing(): boolean {
    return this.local?.isSharing ?? false;
  }

  mute(isMuted: boolean): void {
    this.local?.mute(isMuted);
    this.connection?.mute?.(isMuted);
    this.#onChange();
  }

  async stopCamera(): Promise<void> {
    this.local?.stopCamera();
    await this.#send('video');
  }

  async use(kind: MediaKind, deviceId?: string): Promise<void> {
    if (this.local === undefined) return;
    await this.local.use(kind, deviceId);
    delete this.#lost[kind];
    await this.#send(kind);
    this.#sendMuted();
  }

  async flipCamera(): Promise<boolean> {
    let isChanged = true;
    try {
      isChanged = (await this.local?.flipCamera()) ?? false;
      return isChanged;
    } finally {
      // The current camera is stopped even if the next one cannot be opened.
      if (isChanged) await this.#send('video');
    }
  }

  async shareScreen(isOn: boolean, isEnded: () => boolean): Promise<void> {
    const { local } = this;
    if (local === undefined) return;
    if (isOn) await local.shareScreen(() => void this.#send('video').catch(() => undefined));
    // The call may have ended while the user was choosing.
    if (!isOn || isEnded()) local.stopSharing();
    await this.#send('video');
  }

  /** Sends over this connection from now on. */
  attach(connection: MediaConnection): void {
    this.connection = connection;
    this.#sendMuted();
  }

  /** Stops media that the call does not use. */
  discard(local: LocalMedia | undefined): void {
    if (local !== this.#local) local?.stop();
  }

  close(): void {
    this.connection?.close();
    // A device change that is still running must not use the closed connection.
    this.connection = undefined;
    this.local?.stop();
  }

  /** Repeats the mute state, because providers treat each new microphone track as not muted. */
  #sendMuted(): void {
    if (this.isMuted) this.connection?.mute?.(true);
  }

  /** Opens the default device after a device was disconnected. Without one, stops the camera and exposes the error. */
  async #replaceLost(kind: MediaKind): Promise<void> {
    try {
      await this.use(kind);
    } catch (error) {
      if (!(error instanceof CallboardError)) throw error;
      this.#lost[kind] = error;
      if (kind === 'video') await this.stopCamera();
      else this.#onChange();
    }
  }

  /** Sends the microphone, or the screen or else the camera. */
  async #send(kind: MediaKind): Promise<void> {
    this.#onChange();
    await this.connection?.send(kind, this.local?.trackOf(kind) ?? null);
  }
}
