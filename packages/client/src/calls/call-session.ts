import { CallboardError } from '../errors.js';
import type { CallPartyResponse, CallResponse, CallSignalEvent } from '../generated/types.gen.js';
import { type LocalMedia, reopenMedia } from './local-media.js';
import type { MediaKind, MediaProvider, MediaQuality, MediaState, MediaTicket } from './media/media.js';
import { CallDevices } from './call-devices.js';
import type { CallSessionOptions, JoinParts } from './call-session-options.js';
import { type CallState, type EndReason, REASONS } from './call-state.js';
import { CallUpkeep } from './call-upkeep.js';
import { PeerMedia } from './peer-media.js';
import { rememberCall, rememberDevices } from './terminal-id.js';

/** One call at this terminal, from ringing to its end. */
export class CallSession {
  readonly id: number;
  readonly role: 'caller' | 'callee';
  readonly mediaType: 'audio' | 'video';
  /** The other party. */
  readonly peer: CallPartyResponse;
  readonly #options: CallSessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #upkeep: CallUpkeep;
  readonly #peerMedia = new PeerMedia(() => this.#notify());
  /** Audio and video of the peer, for the `srcObject` of a video element. */
  readonly remote = this.#peerMedia.stream;
  #call: CallResponse;
  #state: CallState;
  #endReason: EndReason | null = null;
  #error: CallboardError | undefined;
  #quality: MediaQuality | null = null;
  readonly #devices = new CallDevices(() => this.#rememberDevices());
  #ticket: MediaTicket | undefined;
  #provider: MediaProvider | undefined;
  #isAccepting = false;
  #isJoining = false;
  /** Signals that arrived before the media connection was created. */
  readonly #earlySignals: CallSignalEvent[] = [];

  constructor(options: CallSessionOptions) {
    const { call, local, ticket } = options;
    this.#options = options;
    this.#call = call;
    this.id = call.call_id;
    this.#upkeep = new CallUpkeep(options.service, call.call_id);
    this.role = call.direction === 'outgoing' ? 'caller' : 'callee';
    this.mediaType = call.media_type;
    this.peer = this.role === 'caller' ? call.callee : call.caller;
    this.#devices.local = local;
    this.#ticket = ticket;
    this.#state = this.role === 'caller' ? 'calling' : 'ringing';
  }

  /** Calls `listener` after each change. Returns a function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get state(): CallState {
    return this.#state;
  }

  /** Status of the call at the service (docs/calls.md), by its last event. */
  get status(): CallResponse['status'] {
    return this.#call.status;
  }

  /** Read after an `await`, where the compiler still assumes the state before it. */
  get #hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** The reason why the call ended; null before. */
  get endReason(): EndReason | null {
    return this.#endReason;
  }

  /** The last error: why there is no audio, or no camera. */
  get error(): CallboardError | undefined {
    return this.#error ?? this.#devices.error;
  }

  /** Quality of the connection; null while it is unknown. */
  get quality(): MediaQuality | null {
    return this.#state === 'in call' ? this.#quality : null;
  }

  /** Quality of the connection as the peer measures it; null while it is unknown. */
  get peerQuality(): MediaQuality | null {
    return this.#state === 'in call' ? this.#peerMedia.quality : null;
  }

  /** The local preview; null while nothing is sent. */
  get localStream(): MediaStream | null {
    return this.#devices.local?.stream ?? null;
  }

  get isMuted(): boolean {
    return this.#devices.isMuted;
  }

  /** Whether the peer's microphone is muted; false if that is unknown. */
  get isPeerMuted(): boolean {
    return this.#peerMedia.isMuted;
  }

  get hasCamera(): boolean {
    return this.#devices.hasCamera;
  }

  /** Whether the screen is sent instead of the camera. */
  get isSharing(): boolean {
    return this.#devices.isSharing;
  }

  /** Whole seconds since the call was accepted, on the service's clock; 0 before. */
  get seconds(): number {
    const { accepted_at, ended_at } = this.#call;
    if (accepted_at === null) return 0;
    const until = ended_at === null ? this.#options.service.clock.now() : Date.parse(ended_at);
    return Math.max(0, Math.floor((until - Date.parse(accepted_at)) / 1000));
  }

  /** Whole seconds until the call ends if it is not accepted, on the service's clock. */
  get ringsFor(): number {
    return Math.max(0, Math.ceil(this.#options.service.clock.until(this.#call.ring_expires_at) / 1000));
  }

  /**
   * Accepts the call after the browser allowed camera and microphone. `mediaType`: 'audio' accepts a video call without sending
   * video. `local`: media that are open already, as for a preview; the call stops them when it ends or cannot be accepted.
   * @throws {CallboardError} 41006 if another terminal accepted it first, 41007 if it has ended; `needs_https`, `media_…`
   */
  async accept(mediaType: 'audio' | 'video' = this.mediaType, local?: LocalMedia): Promise<void> {
    if (this.#state !== 'ringing' || this.#isAccepting) return this.#devices.discard(local);
    this.#isAccepting = true;
    try {
      this.#devices.local = local ?? (await this.#options.openMedia(mediaType));
      if (this.#hasEnded) throw new CallboardError(41007, '通话已结束');
      this.#ticket = await this.#options.service.accept(this.id);
    } catch (error) {
      this.#devices.local?.stop();
      this.#devices.local = undefined;
      const code = error instanceof CallboardError ? error.code : undefined;
      if (code === 41006) this.end('answered_elsewhere');
      else if (code === 41007) await this.refresh();
      throw error;
    } finally {
      this.#isAccepting = false;
    }
    // Declined meanwhile: the service rejects that after an accept, and the caller would wait for this terminal.
    if (this.#hasEnded) await this.#options.service.leave(this.id, 'connecting', undefined);
    else await this.join();
  }

  /** Rejects, cancels or hangs up the call, depending on its state. */
  async hangUp(reason?: string): Promise<void> {
    const before = this.#state;
    if (before === 'ended') return;
    this.end(reason ?? REASONS[before] ?? 'local_hangup');
    await this.#options.service.leave(this.id, before, reason);
  }

  mute(isMuted = true): void {
    this.#devices.mute(isMuted);
  }

  /** Turns the camera on or off. @throws {CallboardError} `media_…` */
  async camera(isOn: boolean): Promise<void> {
    await (isOn ? this.#devices.use('video') : this.#devices.stopCamera());
  }

  /** Switches to another microphone or camera. @throws {CallboardError} `media_…` */
  async use(kind: MediaKind, deviceId?: string): Promise<void> {
    await this.#devices.use(kind, deviceId);
  }

  /** Switches to the camera on the other side, or to the next one; false: there is only one. @throws {CallboardError} `media_…` */
  async flipCamera(): Promise<boolean> {
    return this.#devices.flipCamera();
  }

  /** Sends a screen or window instead of the camera, or stops that. @throws {CallboardError} `media_refused`: the user cancelled */
  async shareScreen(isOn: boolean): Promise<void> {
    await this.#devices.shareScreen(isOn, () => this.#state === 'ended');
  }

  /** Applies a state of the call from the service. Ignores a version lower than the current one. @internal */
  update(call: CallResponse): void {
    this.#options.service.clock.note(call.server_time);
    if (call.version >= this.#call.version) this.#call = call;
    if (call.ended_at !== null) this.end(call.end_reason ?? 'local_hangup');
    this.#notify();
  }

  /** Fetches the state of the call. @internal */
  async refresh(): Promise<void> {
    this.update(await this.#options.service.get(this.id));
  }

  /** Connects the media after the call was accepted. @internal */
  async join({ isResumed = false } = {}): Promise<void> {
    if (this.#isJoining || this.#state === 'ended') return;
    this.#isJoining = true;
    rememberCall(this.id);
    this.#setState('connecting');
    try {
      this.#ticket ??= await this.#options.service.renew(this.id);
      const local = (this.#devices.local ??= await reopenMedia(this.#options.openMedia, this.mediaType));
      // The call ended while the browser was opening the devices.
      if (this.#hasEnded) return local.stop();
      this.#rememberDevices();
      this.#provider = await this.#options.providerOf(this.#ticket.appId);
      await this.#connect(this.#provider, { ticket: this.#ticket, tracks: local.tracks, isResumed });
    } catch (cause) {
      this.#error =
        cause instanceof CallboardError ? cause : new CallboardError('media_failed', undefined, { cause });
      // Another terminal of the user has accepted the call.
      if (this.#error.code === 41006) this.end('answered_elsewhere');
      else if (this.#error.code === 41007) await this.refresh().catch(() => undefined);
      else await this.hangUp('connection_lost').catch(() => undefined);
    }
  }

  /** Applies a signal of the other terminal. @internal */
  async applySignal(signal: CallSignalEvent): Promise<void> {
    if (this.#devices.connection === undefined) this.#earlySignals.push(signal);
    else await this.#devices.connection.hear?.(signal);
  }

  /** Ends the call at this terminal. Does not notify the service. @internal */
  end(reason: EndReason): void {
    if (this.#state === 'ended') return;
    this.#endReason = reason;
    if (reason !== 'page_closed') rememberCall(null);
    this.#upkeep.end();
    this.#devices.close();
    this.#setState('ended');
  }

  async #connect(provider: MediaProvider, parts: JoinParts): Promise<void> {
    const { service } = this.#options;
    const connection = await provider.connect({
      ...parts,
      role: this.role,
      renew: () => service.renew(this.id),
      signal: (signal) => service.signal(this.id, signal),
      onTrack: this.#peerMedia.onTrack,
      onTrackGone: this.#peerMedia.onTrackGone,
      onState: (state) => this.#applyMediaState(state),
      onPeerMuted: this.#peerMedia.onPeerMuted,
      onQuality: (quality) => {
        this.#quality = quality;
        this.#notify();
      },
      onPeerQuality: this.#peerMedia.onPeerQuality,
    });
    // The call ended while the provider was loading.
    if (this.#hasEnded) return connection.close();
    this.#devices.attach(connection);
    this.#upkeep.renewInTime((renewed) => connection.renewed(renewed));
    for (const signal of this.#earlySignals.splice(0)) await connection.hear?.(signal);
  }

  #rememberDevices(): void {
    if (this.#state !== 'ended') rememberDevices(this);
    this.#notify();
  }

  #applyMediaState(state: MediaState): void {
    if (this.#state === 'ended') return;
    if (state === 'refused') {
      // The call has ended, or another terminal has it. Hanging up would end it there.
      this.refresh()
        .catch(() => undefined)
        .finally(() => this.end('answered_elsewhere'));
      return;
    }
    if (state === 'lost') {
      this.#error = new CallboardError('media_failed');
      void this.hangUp('connection_lost').catch(() => undefined);
      return;
    }
    this.#setState(state === 'connected' ? 'in call' : 'reconnecting');
    if (state === 'connected') this.#report();
  }

  #report(): void {
    const quality = (): string => this.quality ?? (this.#state === 'in call' ? 'good' : 'poor');
    this.#upkeep.report(quality, { repeatedly: this.#provider?.needsReports === true });
  }

  #setState(state: CallState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
