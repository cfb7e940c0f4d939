import { Outbox } from './outbox.mjs';

/**
 * One connection of a call, negotiated with the W3C's "perfect negotiation" pattern: both terminals may send an offer at any
 * time. If offers collide, the callee (the polite peer) rolls its own back.
 */
export class PeerLink {
  #isMakingOffer = false;
  #isIgnoringOffer = false;
  /** Candidates that arrived before the first remote description. */
  #earlyCandidates = [];
  #media;

  constructor({ api, callId, sessionId, configuration, isPolite, media, onTrack, onState, onFailed }) {
    Object.assign(this, { sessionId, isPolite });
    this.#media = media;
    this.outbox = new Outbox({ api, callId, sessionId, onFailed });
    this.connection = new RTCPeerConnection(configuration);
    this.connection.onicecandidate = ({ candidate }) => this.outbox.addCandidate(candidate);
    this.connection.ontrack = onTrack;
    this.connection.onnegotiationneeded = () => this.#sendOffer();
    this.connection.onconnectionstatechange = () => onState(this.connection.connectionState);
    // The callee adds its tracks before it answers. Adding them here would trigger an offer from the callee.
    if (!isPolite) this.#addTracks();
  }

  get isConnected() {
    return this.connection.connectionState === 'connected';
  }

  /** Applies a signal of this connection. Signals must be applied one at a time, in order. */
  async applySignal({ description, candidates }) {
    if (description !== null && !(await this.#applyDescription(description))) return;
    for (const candidate of candidates) await this.#applyCandidate(candidate);
  }

  /** Restarts ICE with fresh TURN credentials. */
  restart(configuration) {
    this.connection.setConfiguration(configuration);
    this.connection.restartIce();
  }

  close() {
    this.outbox.close();
    this.connection.close();
  }

  /** Adds the local tracks, once. */
  #addTracks() {
    for (const track of this.#media?.getTracks() ?? []) this.connection.addTrack(track, this.#media);
    this.#media = undefined;
  }

  async #sendOffer() {
    this.#isMakingOffer = true;
    try {
      await this.connection.setLocalDescription();
      this.outbox.addDescription(this.connection.localDescription);
    } finally {
      this.#isMakingOffer = false;
    }
  }

  /**
   * Returns false if the description is ignored: an offer that collides with the caller's own, or an answer to an offer that
   * was rolled back.
   */
  async #applyDescription(description) {
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
      this.outbox.addDescription(connection.localDescription);
    }
    for (const candidate of this.#earlyCandidates.splice(0)) await this.#applyCandidate(candidate);
    return true;
  }

  async #applyCandidate(candidate) {
    if (this.connection.remoteDescription === null) {
      this.#earlyCandidates.push(candidate);
      return;
    }
    try {
      await this.connection.addIceCandidate(candidate);
    } catch (error) {
      // Candidates of an ignored offer do not match the remote description.
      if (!this.#isIgnoringOffer) throw error;
    }
  }
}
