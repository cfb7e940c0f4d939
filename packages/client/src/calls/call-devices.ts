import type { LocalMedia } from './local-media.js';
import type { MediaConnection, MediaKind } from './media/media.js';

/** Microphone, camera and screen of a call, and which of them its connection sends. */
export class CallDevices {
  /** Undefined until the browser allowed the devices. */
  local: LocalMedia | undefined;
  /** Undefined until the media are connected, and after `close`. */
  connection: MediaConnection | undefined;
  readonly #onChange: () => void;

  /** @param onChange called after each change, also one that the browser causes */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
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
    await this.#sendVideo();
  }

  async use(kind: MediaKind, deviceId?: string): Promise<void> {
    if (this.local === undefined) return;
    await this.local.use(kind, deviceId);
    this.#onChange();
    await this.connection?.send(kind, this.local.trackOf(kind));
    this.sendMuted();
  }

  async flipCamera(): Promise<boolean> {
    const isFlipped = (await this.local?.flipCamera()) ?? false;
    if (isFlipped) await this.#sendVideo();
    return isFlipped;
  }

  async shareScreen(isOn: boolean, isEnded: () => boolean): Promise<void> {
    const { local } = this;
    if (local === undefined) return;
    if (isOn) await local.shareScreen(() => void this.#sendVideo().catch(() => undefined));
    // The call may have ended while the user was choosing.
    if (!isOn || isEnded()) local.stopSharing();
    await this.#sendVideo();
  }

  /** Repeats the mute state, because providers treat each new microphone track as not muted. */
  sendMuted(): void {
    if (this.isMuted) this.connection?.mute?.(true);
  }

  close(): void {
    this.connection?.close();
    // A device change that is still running must not use the closed connection.
    this.connection = undefined;
    this.local?.stop();
  }

  /** Sends the screen or else the camera. */
  async #sendVideo(): Promise<void> {
    this.#onChange();
    await this.connection?.send('video', this.local?.trackOf('video') ?? null);
  }
}
