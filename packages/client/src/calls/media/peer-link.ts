import type { CallSignalEvent } from '../../generated/types.gen.js';
import { LinkQuality } from './link-quality.js';
import type { MediaKind, MediaQuality } from './media.js';
import { SignalOutbox } from './signal-outbox.js';

export interface PeerLinkOptions {
  sessionId: string;
  configuration: RTCConfiguration;
  /** Whether this end gives way when two offers collide. True for the callee. */
  isPolite: boolean;
  tracks: () => MediaStreamTrack[];
  isMuted: () => boolean;
  send: ConstructorParameters<typeof SignalOutbox>[0]['send'];
  onTrack: (track: MediaStreamTrack) => void;
  onTrackGone: (kind: MediaKind) => void;
  onPeerMuted: (isMuted: boolean) => void;
  onPeerQuality: (quality: MediaQuality) => void;
  onState: (state: RTCPeerConnectionState) => void;
  onRefused: () => void;
}

type Description = NonNullable<CallSignalEvent['description']>;
type Candidate = NonNullable<CallSignalEvent['candidates']>[number];

/** Label of the data channel on which each terminal sends `{"muted": true}` and `{"quality": "good"}` to the other (docs/calls.md). */
const CHANNEL = 'callboard';
const KINDS: readonly MediaKind[] = ['audio', 'video'];

/** One peer connection of a call, negotiated by the W3C's "perfect negotiation": both ends may offer at any time. */
export class PeerLink {
  readonly sessionId: string;
  readonly #isPolite: boolean;
  readonly #tracks: () => MediaStreamTrack[];
  readonly #isMuted: () => boolean;
  readonly #onTrackGone: (kind: MediaKind) => void;
  readonly #onPeerMuted: (isMuted: boolean) => void;
  readonly #onPeerQuality: (quality: MediaQuality) => void;
  readonly #connection: RTCPeerConnection;
  readonly #outbox: SignalOutbox;
  readonly #senders = new Map<string, RTCRtpSender>();
  /** Candidates that arrived before their description. */
  readonly #earlyCandidates: Candidate[] = [];
  readonly #quality = new LinkQuality();
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
    onPeerQuality,
    onState,
    onRefused,
  }: PeerLinkOptions) {
    this.sessionId = sessionId;
    this.#isPolite = isPolite;
    this.#tracks = tracks;
    this.#isMuted = isMuted;
    this.#onTrackGone = onTrackGone;
    this.#onPeerMuted = onPeerMuted;
    this.#onPeerQuality = onPeerQuality;
    this.#outbox = new SignalOutbox({ sessionId, send, onRefused });
    this.#connection = new RTCPeerConnection(configuration);
    this.#closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#connection.onicecandidate = ({ candidate }) => this.#outbox.add(candidate);
    // Fires again when the peer resumes sending.
    this.#connection.ontrack = ({ track }) => onTrack(track);
    this.#connection.onnegotiationneeded = () => void this.#offer();
    this.#connection.onconnectionstatechange = () => onState(this.#connection.connectionState);
    this.#connection.ondatachannel = ({ channel }) => channel.label === CHANNEL && this.#open(channel);
    // The callee adds its tracks with its answer. Adding them now would trigger an offer of its own.
    if (isPolite) return;
    this.#addTracks();
    this.#open(this.#connection.createDataChannel(CHANNEL));
  }

  get isConnected(): boolean {
    return this.#connection.connectionState === 'connected';
  }

  /** Applies a signal of the other terminal. The caller awaits one before the next. Resolves early if the link is closed. */
  async receive(signal: CallSignalEvent): Promise<void> {
    await Promise.race([this.#apply(signal), this.#closed]);
  }

  async #apply({ description, candidates = [] }: CallSignalEvent): Promise<void> {
    if (description && !(await this.#applyDescription(description))) return;
    for (const candidate of candidates) await this.#addCandidate(candidate);
  }

  /** Restarts ICE with new TURN credentials, to find another network path. */
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
    const transceiver = this.#connection.getTransceivers().find((item) => item.sender === sender);
    // Otherwise the peer would see the last frame until the call ends.
    if (transceiver !== undefined) transceiver.direction = track === null ? 'recvonly' : 'sendrecv';
  }

  /**
   * Sends the mute state to the other terminal. Has no effect before the channel opens, which it never does if the peer has
   * none.
   */
  sendMuted(): void {
    if (this.#channel?.readyState === 'open') this.#channel.send(JSON.stringify({ muted: this.#isMuted() }));
  }

  /** Sends the quality that this terminal measures to the other one. Has no effect without an open channel. */
  sendQuality(quality: MediaQuality): void {
    if (this.#channel?.readyState === 'open') this.#channel.send(JSON.stringify({ quality }));
  }

  /** Returns the quality since the previous call; undefined if it is unknown. */
  async quality(): Promise<MediaQuality | undefined> {
    return this.#quality.rate(await this.#connection.getStats());
  }

  close(): void {
    this.#outbox.close();
    this.#connection.close();
    this.#resolveClosed();
  }

  #open(channel: RTCDataChannel): void {
    this.#channel = channel;
    channel.addEventListener('open', () => this.sendMuted());
    channel.addEventListener('message', ({ data }) => {
      const { muted, quality } = parseMessage(data);
      if (muted !== undefined) this.#onPeerMuted(muted);
      if (quality !== undefined) this.#onPeerQuality(quality);
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
      this.#sendDescription();
    } finally {
      this.#isMakingOffer = false;
    }
  }

  /**
   * Applies a description. Returns false for an ignored one: an offer that collides with ours, or an answer to a withdrawn
   * offer.
   */
  async #applyDescription(description: Description): Promise<boolean> {
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
      this.#sendDescription();
    }
    this.#reportStoppedKinds();
    for (const candidate of this.#earlyCandidates.splice(0)) await this.#addCandidate(candidate);
    return true;
  }

  /**
   * Reports the kinds that the peer does not send according to the negotiated directions. The `mute` event of a track is no
   * substitute: Chromium versions of 2025 also fire it when no frame has arrived for 0.8 s.
   */
  #reportStoppedKinds(): void {
    const transceivers = this.#connection.getTransceivers();
    for (const kind of KINDS) {
      const isReceived = transceivers.some(
        ({ receiver, currentDirection }) =>
          receiver.track.kind === kind &&
          (currentDirection === 'sendrecv' || currentDirection === 'recvonly'),
      );
      if (!isReceived) this.#onTrackGone(kind);
    }
  }

  #sendDescription(): void {
    if (this.#connection.localDescription !== null) this.#outbox.describe(this.#connection.localDescription);
  }

  async #addCandidate(candidate: Candidate): Promise<void> {
    if (this.#connection.remoteDescription === null) {
      this.#earlyCandidates.push(candidate);
      return;
    }
    try {
      await this.#connection.addIceCandidate(candidate);
    } catch (error) {
      // Candidates of an ignored offer cannot be added.
      if (!this.#isIgnoringOffer) throw error;
    }
  }
}

const QUALITIES: readonly MediaQuality[] = ['good', 'fair', 'poor'];

/** Returns the known parts of a message of the channel: other clients may send others. */
function parseMessage(data: unknown): { muted?: boolean; quality?: MediaQuality } {
  try {
    const { muted, quality } = JSON.parse(String(data)) as { muted?: unknown; quality?: unknown };
    return {
      ...(typeof muted === 'boolean' && { muted }),
      quality: QUALITIES.find((known) => known === quality),
    };
  } catch {
    return {};
  }
}
