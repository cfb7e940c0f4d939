import { CallboardError } from '../../errors.js';
import type { CallSignalEvent } from '../../generated/types.gen.js';
import { uniqueId } from '../../unique-id.js';
import { Timers } from '../timers.js';
import type {
  MediaConnection,
  MediaContext,
  MediaKind,
  MediaProvider,
  MediaState,
  MediaTicket,
} from './media.js';
import { PeerLink } from './peer-link.js';

/** A peer connection that is not established after this time is replaced, whatever the cause. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A callee that has received no offer after this time requests one. */
const OFFER_WAIT_MS = 3_000;
/** A disconnected connection often recovers by itself within this time. ICE is restarted afterwards. */
const RESTART_DELAY_MS = 3_000;
/** The media are reported as lost after this time without a connection. */
const GIVE_UP_MS = 45_000;
/** Interval between quality ratings: long enough for a meaningful loss rate. */
const QUALITY_INTERVAL_MS = 4_000;

/** The built-in provider: media flow between the two terminals, and the service relays their signals. */
export const webrtc: MediaProvider = {
  needsReports: true,
  connect: async (context) => {
    if (globalThis.RTCPeerConnection === undefined) throw new CallboardError('media_failed');
    return new WebrtcConnection(context);
  },
};

/** Only the caller starts connections, so that the two ends never start competing ones. The callee follows. */
class WebrtcConnection implements MediaConnection {
  readonly #context: MediaContext;
  readonly #timers = new Timers();
  #ticket: MediaTicket;
  #link: PeerLink | undefined;
  #isMuted = false;
  #isClosed = false;

  constructor(context: MediaContext) {
    this.#context = context;
    this.#ticket = context.ticket;
    this.#timers.set('give up', GIVE_UP_MS, () => this.#report('lost'));
    if (context.role === 'caller') this.#startLink();
    else if (context.isResumed) this.#requestOffer();
    else this.#timers.set('offer', OFFER_WAIT_MS, () => this.#link === undefined && this.#requestOffer());
  }

  async hear(signal: CallSignalEvent): Promise<void> {
    if (this.#isClosed) return;
    const isCaller = this.#context.role === 'caller';
    if (!signal.session_id) {
      if (isCaller) this.#startLink();
      return;
    }
    if (signal.session_id !== this.#link?.sessionId) {
      // The signal belongs to a closed connection.
      if (isCaller || signal.description?.type !== 'offer') return;
      this.#startLink(signal.session_id);
    }
    await this.#link?.receive(signal);
  }

  async send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void> {
    await this.#link?.send(kind, track);
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#link?.sendMuted();
  }

  async renewed(ticket: MediaTicket): Promise<void> {
    this.#ticket = ticket;
  }

  close(): void {
    this.#isClosed = true;
    this.#timers.clear();
    this.#link?.close();
  }

  /** Replaces the connection with a new one. The caller chooses the session id. */
  #startLink(sessionId = uniqueId()): void {
    this.#link?.close();
    const { tracks, role, signal, onTrack, onTrackGone, onPeerMuted, onPeerQuality } = this.#context;
    const link: PeerLink = new PeerLink({
      sessionId,
      configuration: this.#configuration,
      isPolite: role === 'callee',
      tracks,
      isMuted: () => this.#isMuted,
      send: signal,
      onTrack,
      onTrackGone: (kind) => link === this.#link && onTrackGone(kind),
      onPeerMuted: (isMuted) => link === this.#link && onPeerMuted(isMuted),
      onPeerQuality: (quality) => link === this.#link && onPeerQuality(quality),
      onState: (state) => link === this.#link && this.#applyConnectionState(state),
      onRefused: () => link === this.#link && this.#report('refused'),
    });
    const isReplacement = this.#link !== undefined;
    this.#link = link;
    this.#timers.clear('offer', 'restart');
    this.#startConnectTimeout();
    // The previous connection was connected, and reports no state after it was closed.
    if (isReplacement && !this.#timers.has('give up')) this.#reportInterruption();
  }

  get #configuration(): RTCConfiguration {
    return JSON.parse(this.#ticket.token) as RTCConfiguration;
  }

  /** Requests an offer from the caller, with a signal without session id. */
  #requestOffer(): void {
    this.#startConnectTimeout();
    this.#context.signal({ signal_id: uniqueId() }).catch((error: unknown) => {
      if (error instanceof CallboardError && !error.isTransient) this.#report('refused');
    });
  }

  #startConnectTimeout(): void {
    const link = this.#link;
    this.#timers.set('connect', CONNECT_TIMEOUT_MS, () => {
      if (this.#link !== link || link?.isConnected) return;
      if (this.#context.role === 'caller') this.#startLink();
      else this.#requestOffer();
    });
  }

  #applyConnectionState(state: RTCPeerConnectionState): void {
    if (state === 'connected') {
      this.#timers.clear();
      this.#scheduleRating();
      this.#report('connected');
    } else if (state === 'disconnected' || state === 'failed') {
      this.#reportInterruption();
      this.#timers.set('restart', state === 'failed' ? 0 : RESTART_DELAY_MS, () => void this.#restart());
    }
  }

  #reportInterruption(): void {
    if (!this.#timers.has('give up')) this.#timers.set('give up', GIVE_UP_MS, () => this.#report('lost'));
    this.#report('reconnecting');
  }

  /** Restarts ICE with new TURN credentials, to find another network path. */
  async #restart(): Promise<void> {
    const link = this.#link;
    this.#startConnectTimeout();
    try {
      this.#ticket = await this.#context.renew();
      if (!this.#isClosed && link === this.#link) link?.restart(this.#configuration);
    } catch (error) {
      // Without a network there is no ticket: the connect time-out tries again.
      if (error instanceof CallboardError && !error.isTransient) this.#report('refused');
    }
  }

  #scheduleRating(): void {
    this.#timers.set('rate', QUALITY_INTERVAL_MS, () => void this.#rate());
  }

  async #rate(): Promise<void> {
    const quality = await this.#link?.quality();
    if (this.#isClosed || !this.#link?.isConnected) return;
    if (quality !== undefined) {
      this.#context.onQuality(quality);
      this.#link.sendQuality(quality);
    }
    this.#scheduleRating();
  }

  #report(state: MediaState): void {
    if (!this.#isClosed) this.#context.onState(state);
  }
}
