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

/** A connection that is not up by then is begun anew, whatever the cause. */
const PATIENCE_MS = 10_000;
/** A callee to whom no offer has come by then asks for one. */
const ASK_AFTER_MS = 3_000;
/** A connection that broke often mends itself within this. */
const BROKEN_MS = 3_000;
/** And when all is in vain, the call is over. */
const GIVE_UP_MS = 45_000;
/** Within that a loss means something. */
const JUDGE_EVERY_MS = 4_000;

/** The built-in provider: the two terminals talk to each other, the service relays what they need to find each other. */
export const webrtc: MediaProvider = {
  needsReports: true,
  connect: async (context) => {
    if (globalThis.RTCPeerConnection === undefined) throw new CallboardError('media_failed');
    return new WebrtcConnection(context);
  },
};

/** The caller alone begins connections, so that two ends never begin against each other; the callee follows. */
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
    this.#timers.set('give up', GIVE_UP_MS, () => this.#tell('lost'));
    if (context.role === 'caller') this.#begin();
    else if (context.isResumed) this.#ask();
    else this.#timers.set('ask', ASK_AFTER_MS, () => this.#link === undefined && this.#ask());
  }

  async hear(signal: CallSignalEvent): Promise<void> {
    if (this.#isClosed) return;
    const isCaller = this.#context.role === 'caller';
    if (!signal.session_id) {
      if (isCaller) this.#begin();
      return;
    }
    if (signal.session_id !== this.#link?.sessionId) {
      // Of a connection that is over.
      if (isCaller || signal.description?.type !== 'offer') return;
      this.#begin(signal.session_id);
    }
    await this.#link?.take(signal);
  }

  async send(kind: MediaKind, track: MediaStreamTrack | null): Promise<void> {
    await this.#link?.send(kind, track);
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#link?.tellMuted();
  }

  async renewed(ticket: MediaTicket): Promise<void> {
    this.#ticket = ticket;
  }

  close(): void {
    this.#isClosed = true;
    this.#timers.clear();
    this.#link?.close();
  }

  /** A new connection, in the place of any before; a caller's names it. */
  #begin(sessionId = uniqueId()): void {
    this.#link?.close();
    const { tracks, role, signal, onTrack, onTrackGone, onPeerMuted } = this.#context;
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
      onState: (state) => link === this.#link && this.#follow(state),
      onRefused: () => link === this.#link && this.#tell('refused'),
    });
    this.#link = link;
    this.#timers.clear('ask');
    this.#expectToConnect();
  }

  get #configuration(): RTCConfiguration {
    return JSON.parse(this.#ticket.token) as RTCConfiguration;
  }

  /** A callee without a connection asks for an offer. */
  #ask(): void {
    this.#expectToConnect();
    this.#context.signal({ signal_id: uniqueId() }).catch((error: unknown) => {
      if (error instanceof CallboardError && !error.isTransient) this.#tell('refused');
    });
  }

  #expectToConnect(): void {
    const link = this.#link;
    this.#timers.set('patience', PATIENCE_MS, () => {
      if (this.#link !== link || link?.isConnected) return;
      if (this.#context.role === 'caller') this.#begin();
      else this.#ask();
    });
  }

  #follow(state: RTCPeerConnectionState): void {
    if (state === 'connected') {
      this.#timers.clear();
      this.#judgeLater();
      this.#tell('connected');
    } else if (state === 'disconnected' || state === 'failed') {
      this.#tell('reconnecting');
      if (!this.#timers.has('give up')) this.#timers.set('give up', GIVE_UP_MS, () => this.#tell('lost'));
      this.#timers.set('restart', state === 'failed' ? 0 : BROKEN_MS, () => void this.#restart());
    }
  }

  /** Looks for another way through the network, with fresh credentials for TURN. */
  async #restart(): Promise<void> {
    const link = this.#link;
    this.#expectToConnect();
    try {
      this.#ticket = await this.#context.renew();
      if (!this.#isClosed && link === this.#link) link?.restart(this.#configuration);
    } catch (error) {
      // Without a network there is no ticket: patience asks again.
      if (error instanceof CallboardError && !error.isTransient) this.#tell('refused');
    }
  }

  #judgeLater(): void {
    this.#timers.set('judge', JUDGE_EVERY_MS, () => void this.#judge());
  }

  async #judge(): Promise<void> {
    const quality = await this.#link?.quality();
    if (this.#isClosed || !this.#link?.isConnected) return;
    if (quality !== undefined) this.#context.onQuality(quality);
    this.#judgeLater();
  }

  #tell(state: MediaState): void {
    if (!this.#isClosed) this.#context.onState(state);
  }
}
