import { Outbox } from './outbox.mjs';

/**
 * One connection of a call, negotiated as the W3C's "perfect negotiation": both ends may offer at any time, and when
 * their offers cross, the callee's gives way.
 */
export class PeerLink {
  #isMakingOffer = false;
  #isIgnoringOffer = false;
  /** Candidates that came before the description that they belong to. */
  #early = [];
  #media;

  constructor({ api, callId, sessionId, configuration, isPolite, media, onTrack, onState, onRefused }) {
    Object.assign(this, { sessionId, isPolite });
    this.#media = media;
    this.outbox = new Outbox({ api, callId, sessionId, onRefused });
    this.connection = new RTCPeerConnection(configuration);
    this.connection.onicecandidate = ({ candidate }) => this.outbox.add(candidate);
    this.connection.ontrack = onTrack;
    this.connection.onnegotiationneeded = () => this.#offer();
    this.connection.onconnectionstatechange = () => onState(this.connection.connectionState);
    // The callee's tracks come with its answer: added now they would make an offer of its own.
    if (!isPolite) this.#addTracks();
  }

  get isConnected() {
    return this.connection.connectionState === 'connected';
  }

  /** What the other terminal has signalled for this connection; one after the other. */
  async take({ description, candidates }) {
    if (description !== null && !(await this.#takeDescription(description))) return;
    for (const candidate of candidates) await this.#takeCandidate(candidate);
  }

  /** Another way through the network, with fresh TURN credentials. */
  restart(configuration) {
    this.connection.setConfiguration(configuration);
    this.connection.restartIce();
  }

  close() {
    this.outbox.close();
    this.connection.close();
  }

  #addTracks() {
    for (const track of this.#media?.getTracks() ?? []) this.connection.addTrack(track, this.#media);
    this.#media = undefined;
  }

  async #offer() {
    this.#isMakingOffer = true;
    try {
      await this.connection.setLocalDescription();
      this.outbox.describe(this.connection.localDescription);
    } finally {
      this.#isMakingOffer = false;
    }
  }

  /** False when it is not for now: an offer that crossed ours, an answer to an offer that was taken back. */
  async #takeDescription(description) {
    const { connection } = this;
    const isOffer = description.type === 'offer';
    const isCollision = isOffer && (this.#isMakingOffer || connection.signalingState !== 'stable');
    this.#isIgnoringOffer = isCollision && !this.isPolite;
    if (this.#isIgnoringOffer) return false;
    if (!isOffer && connection.signalingState !== 'have-local-offer') return false;
    await connection.setRemoteDescription(description);
    if (isOffer) {
      this.#addTracks();
      await connection.setLocalDescription();
      this.outbox.describe(connection.localDescription);
    }
    for (const candidate of this.#early.splice(0)) await this.#takeCandidate(candidate);
    return true;
  }

  async #takeCandidate(candidate) {
    if (this.connection.remoteDescription === null) {
      this.#early.push(candidate);
      return;
    }
    try {
      await this.connection.addIceCandidate(candidate);
    } catch (error) {
      // Of an offer that was ignored, none fits.
      if (!this.#isIgnoringOffer) throw error;
    }
  }
}
