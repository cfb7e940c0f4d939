import type { CallSignalEvent } from '../../generated/types.gen.js';
import { Quality } from './link-quality.js';
import type { MediaKind, MediaQuality } from './media.js';
import { SignalOutbox } from './signal-outbox.js';

export interface PeerLinkOptions {
  sessionId: string;
  configuration: RTCConfiguration;
  /** Whose offer gives way when two cross: the callee's. */
  isPolite: boolean;
  tracks: () => MediaStreamTrack[];
  isMuted: () => boolean;
  send: ConstructorParameters<typeof SignalOutbox>[0]['send'];
  onTrack: (track: MediaStreamTrack) => void;
  onTrackGone: (kind: MediaKind) => void;
  onPeerMuted: (isMuted: boolean) => void;
  onState: (state: RTCPeerConnectionState) => void;
  onRefused: () => void;
}

type Description = NonNullable<CallSignalEvent['description']>;
type Candidate = NonNullable<CallSignalEvent['candidates']>[number];

/** Label of the data channel on which each terminal sends `{"muted": true}` to the other (docs/calls.md). */
const CHANNEL = 'callboard';

/** One connection of a call, negotiated as the W3C's "perfect negotiation": both ends may offer at any time. */
export class PeerLink {
  readonly sessionId: string;
  readonly #isPolite: boolean;
  readonly #tracks: () => MediaStreamTrack[];
  readonly #isMuted: () => boolean;
  readonly #onPeerMuted: (isMuted: boolean) => void;
  readonly #connection: RTCPeerConnection;
  readonly #outbox: SignalOutbox;
  readonly #senders = new Map<string, RTCRtpSender>();
  /** Candidates that came before the description that they belong to. */
  readonly #early: Candidate[] = [];
  readonly #quality = new Quality();
  /** Resolves when the link is closed: browsers never settle operations of a connection that is closed while they run. */
  readonly #closed: Promise<void>;
  #resolveClosed!: () => void;
  #channel: RTCDataChannel | undefined;
  #isMakingOffer = false;
  #isIgnoringOffer = false;

  constructor({
    sessionId,
    configuration,
    isPolite,
    tracks,
    isMuted,
    send,
    onTrack,
    onTrackGone,
    onPeerMuted,
    onState,
    onRefused,
  }: PeerLinkOptions) {
    this.sessionId = sessionId;
    this.#isPolite = isPolite;
    this.#tracks = tracks;
    this.#isMuted = isMuted;
    this.#onPeerMuted = onPeerMuted;
    this.#outbox = new SignalOutbox({ sessionId, send, onRefused });
    this.#connection = new RTCPeerConnection(configuration);
    this.#closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#connection.onicecandidate = ({ candidate }) => this.#outbox.add(candidate);
    this.#connection.ontrack = ({ track }) => {
      // Which is how it shows that the other one sends it no more; when that ends, it comes anew.
      track.onmute = () => onTrackGone(track.kind as MediaKind);
      onTrack(track);
    };
    this.#connection.onnegotiationneeded = () => void this.#offer();
    this.#connection.onconnectionstatechange = () => onState(this.#connection.connectionState);
    this.#connection.ondatachannel = ({ channel }) => channel.label === CHANNEL && this.#open(channel);
    // The callee's tracks come with its answer: added now they would make an offer of its own.
    if (isPolite) return;
    this.#addTracks();
    this.#open(this.#connection.createDataChannel(CHANNEL));
  }

  get isConnected(): boolean {
    return this.#connection.connectionState === 'connected';
  }

  /** Applies a signal of the other terminal. The caller awaits one before the next. Resolves early if the link is closed. */
  async take(signal: CallSignalEvent): Promise<void> {
    await Promise.race([this.#apply(signal), this.#closed]);
  }

  async #apply({ description, candidates = [] }: CallSignalEvent): Promise<void> {
    if (description && !(await this.#takeDescription(description))) return;
    for (const candidate of candidates) await this.#takeCandidate(candidate);
  }

  /** Another way through the network, with fresh TURN credentials. */
  restart(configuration: RTCConfiguration): void {
    this.#connection.setConfiguration(configuration);
    this.#connection.restartIce();
  }

  async send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void> {
    const sender = this.#senders.get(kind);
    if (sender === undefined) {
      if (track !== null) this.#senders.set(kind, this.#connection.addTrack(track));
      return;
    }
    await Promise.race([sender.replaceTrack(track), this.#closed]);
    const transceiver = this.#connection.getTransceivers().find((one) => one.sender === sender);
    // Else the other one would see the last picture for as long as the call goes on.
    if (transceiver !== undefined) transceiver.direction = track === null ? 'recvonly' : 'sendrecv';
  }

  /** Sends the mute state to the other terminal. Has no effect until the channel is open, which it never is if the other terminal has none. */
  tellMuted(): void {
    if (this.#channel?.readyState === 'open') this.#channel.send(JSON.stringify({ muted: this.#isMuted() }));
  }

  /** How the connection has been since this was asked last; undefined where that is not known. */
  async quality(): Promise<MediaQuality | undefined> {
    return this.#quality.judge(await this.#connection.getStats());
  }

  close(): void {
    this.#outbox.close();
    this.#connection.close();
    this.#resolveClosed();
  }

  #open(channel: RTCDataChannel): void {
    this.#channel = channel;
    channel.addEventListener('open', () => this.tellMuted());
    channel.addEventListener('message', ({ data }) => {
      const muted = mutedIn(data);
      if (muted !== undefined) this.#onPeerMuted(muted);
    });
  }

  #addTracks(): void {
    for (const track of this.#tracks())
      if (!this.#senders.has(track.kind)) this.#senders.set(track.kind, this.#connection.addTrack(track));
  }

  async #offer(): Promise<void> {
    this.#isMakingOffer = true;
    try {
      await this.#connection.setLocalDescription();
      this.#tellDescription();
    } finally {
      this.#isMakingOffer = false;
    }
  }

  /** False when it is not for now: an offer that crossed ours, an answer to an offer that was taken back. */
  async #takeDescription(description: Description): Promise<boolean> {
    const connection = this.#connection;
    const isOffer = description.type === 'offer';
    const isCollision = isOffer && (this.#isMakingOffer || connection.signalingState !== 'stable');
    this.#isIgnoringOffer = isCollision && !this.#isPolite;
    if (this.#isIgnoringOffer) return false;
    if (!isOffer && connection.signalingState !== 'have-local-offer') return false;
    await connection.setRemoteDescription(description);
    if (isOffer) {
      this.#addTracks();
      await connection.setLocalDescription();
      this.#tellDescription();
    }
    for (const candidate of this.#early.splice(0)) await this.#takeCandidate(candidate);
    return true;
  }

  #tellDescription(): void {
    if (this.#connection.localDescription !== null) this.#outbox.describe(this.#connection.localDescription);
  }

  async #takeCandidate(candidate: Candidate): Promise<void> {
    if (this.#connection.remoteDescription === null) {
      this.#early.push(candidate);
      return;
    }
    try {
      await this.#connection.addIceCandidate(candidate);
    } catch (error) {
      // Of an offer that was ignored, none fits.
      if (!this.#isIgnoringOffer) throw error;
    }
  }
}

/** Returns the mute state that a message of the channel has; undefined for other messages, which other clients may send. */
function mutedIn(data: unknown): boolean | undefined {
  try {
    const { muted } = JSON.parse(String(data)) as { muted?: unknown };
    return typeof muted === 'boolean' ? muted : undefined;
  } catch {
    return undefined;
  }
}
