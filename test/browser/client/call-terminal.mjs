import { Api } from './api.mjs';
import { followEvents } from './event-stream.mjs';
import { sendSignal } from './outbox.mjs';
import { PeerLink } from './peer-link.mjs';

/** A connection attempt or an ICE restart that takes longer, for whatever reason, is replaced by a new connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The callee requests an offer if none has arrived this long after it accepted. */
const REQUEST_OFFER_AFTER_MS = 3_000;
/** Delay of the ICE restart after `disconnected`: such a connection often recovers by itself. */
const ICE_RESTART_DELAY_MS = 3_000;
/** The terminal hangs up if a lost connection is not restored within this time. */
const RECONNECT_TIMEOUT_MS = 45_000;
/** Must be below 60 s: the service ends a call after a minute without a report. */
const REPORT_INTERVAL_MS = 20_000;

const FINAL_EVENTS = new Set(['call.ended', 'call.rejected', 'call.cancelled']);

/**
 * A terminal of the built-in provider: places, receives and answers calls, and connects the media of the current call. Its
 * `state` is `idle`, `calling`, `ringing`, `connecting`, `in call` or `reconnecting`. Dispatches `change` after each change,
 * and `problem` with the error of a background task.
 */
export class CallTerminal extends EventTarget {
  state = 'idle';
  /** The current or the last call: `id`, `role`, `mediaType`, `endReason`. */
  call = null;
  /** Audio and video of the peer. */
  remote = new MediaStream();
  /** The current connection; null before the first offer. */
  link = null;
  #configuration;
  #media;
  #timers = new Map();
  #queue = Promise.resolve();
  #abortController = new AbortController();

  /**
   * @param url of the service
   * @param token a function that returns the current bearer token
   * @param terminalId constant for the lifetime of the tab
   * @param getMedia returns the MediaStream to send, for `audio` or `video`
   */
  constructor({ url, token, terminalId, getMedia }) {
    super();
    this.api = new Api({ url, token, terminalId });
    Object.assign(this, { terminalId, getMedia });
  }

  /** Starts to follow events, and resumes the call that was active before a reload. */
  async start() {
    const { data: active, cursor } = await this.api.get('/calls/active');
    const onEvent = (event) => this.#enqueue(() => this.#onEvent(event));
    void followEvents({ api: this.api, after: cursor, onEvent, signal: this.#abortController.signal });
    if (active === null) return;
    const role = active.direction === 'outgoing' ? 'caller' : 'callee';
    const call = { id: active.call_id, role, mediaType: active.media_type };
    if (active.status !== 'ringing') await this.#inTurn(() => this.#resume(call));
    else this.#setState(role === 'caller' ? 'calling' : 'ringing', call);
  }

  stop() {
    this.#abortController.abort();
    this.#leave();
  }

  /** Places a call after the user has granted camera and microphone. */
  async place(calleeId, mediaType = 'video') {
    this.#media = await this.getMedia(mediaType);
    // Queued: an event of this call must not be processed before the response.
    await this.#inTurn(async () => {
      const placed = await this.api.post('/calls', { callee_id: calleeId, media_type: mediaType });
      this.#configuration = JSON.parse(placed.rtc_token);
      this.#setState('calling', { id: placed.call_id, role: 'caller', mediaType });
    });
  }

  /** Answers the ringing call after the user has granted camera and microphone. */
  async accept() {
    const { call } = this;
    this.#media = await this.getMedia(call.mediaType);
    await this.#inTurn(async () => {
      const accepted = await this.api.post(`/calls/${call.id}/accept`);
      this.#configuration = JSON.parse(accepted.rtc_token);
      this.#setState('connecting', call);
      const requestMissingOffer = () => this.link === null && this.#requestOffer();
      this.#setTimer('request offer', REQUEST_OFFER_AFTER_MS, requestMissingOffer);
    });
  }

  /** Hangs up, cancels or rejects the call, depending on its state. */
  async hangUp(reason) {
    const { id } = this.call;
    const action = { calling: 'cancel', ringing: 'reject' }[this.state] ?? 'hangup';
    this.#leave();
    await this.api.post(`/calls/${id}/${action}`, reason === undefined ? {} : { reason });
  }

  /** Restarts ICE with a fresh token. Does nothing if `link` was replaced while the token was fetched. */
  async restart(link = this.link) {
    const { rtc_token } = await this.api.post(`/calls/${this.call.id}/token`);
    if (link !== this.link || link === null) return;
    this.#configuration = JSON.parse(rtc_token);
    link.restart(this.#configuration);
    this.#startConnectTimer();
  }

  /** Runs tasks one at a time, in the order of the events. A task that fails does not affect the next one. */
  #inTurn(task) {
    const done = this.#queue.then(task);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Queues a background task. Its error is dispatched as `problem`. */
  #enqueue(task) {
    this.#inTurn(task).catch((error) => this.dispatchEvent(new CustomEvent('problem', { detail: error })));
  }

  async #onEvent(event) {
    const { call } = this;
    if (event.type === 'call.ringing' && this.state === 'idle') {
      const { call_id: id, media_type: mediaType } = event.call;
      this.#setState('ringing', { id, role: 'callee', mediaType });
    } else if (this.state === 'idle' || (event.call_id ?? event.call?.call_id) !== call.id) {
      return;
    } else if (event.type === 'call.accepted' && call.role === 'caller') {
      // A page that was reloaded while the call rang has no token yet.
      if (this.#configuration === undefined) await this.#resume(call);
      else this.#connect();
    } else if (event.type === 'call.answered_elsewhere' && event.terminal_id !== this.terminalId) {
      this.#leave();
    } else if (event.type === 'call.signal') {
      const isForThisTerminal = event.terminal_id === null || event.terminal_id === this.terminalId;
      // A signal without an id has expired. Its sender starts over after its connect timeout.
      if (isForThisTerminal && event.signal_id !== undefined) await this.#onSignal(event);
    } else if (FINAL_EVENTS.has(event.type)) {
      call.endReason = event.call.end_reason;
      this.#leave();
    }
  }

  /** Only the caller creates connections, so two new connections never collide. The callee follows its offers. */
  async #onSignal(signal) {
    const isCaller = this.call.role === 'caller';
    if (signal.session_id === null) {
      // The callee requests an offer.
      if (isCaller) this.#connect();
      return;
    }
    if (signal.session_id !== this.link?.sessionId) {
      // Only a callee follows another session, and only from its offer: other signals belong to a replaced connection.
      if (isCaller || signal.description?.type !== 'offer') return;
      this.#connect(signal.session_id);
    }
    await this.link.applySignal(signal);
  }

  async #resume(call) {
    const { rtc_token } = await this.api.post(`/calls/${call.id}/token`);
    this.#media = await this.getMedia(call.mediaType);
    this.#configuration = JSON.parse(rtc_token);
    this.#setState('connecting', call);
    if (call.role === 'caller') this.#connect();
    else await this.#requestOffer();
  }

  /** Replaces the connection with a new one. The caller generates the session id, the callee uses that of the offer. */
  #connect(sessionId = crypto.randomUUID()) {
    this.link?.close();
    const link = new PeerLink({
      api: this.api,
      callId: this.call.id,
      sessionId,
      configuration: this.#configuration,
      isPolite: this.call.role === 'callee',
      media: this.#media,
      onTrack: ({ track }) => this.#onTrack(track),
      onState: (state) => this.#enqueue(() => link === this.link && this.#onConnectionState(state)),
      onFailed: () => this.#enqueue(() => link === this.link && this.#leave()),
    });
    this.link = link;
    this.#setState('connecting', this.call);
    this.#startConnectTimer();
  }

  /**
   * Requests an offer from the caller. Leaves the call if the service rejects the request, because the call has ended or
   * belongs to another terminal, or if the last attempt fails.
   */
  async #requestOffer() {
    this.#startConnectTimer();
    await sendSignal(this.api, `/calls/${this.call.id}/signals`).catch(() => this.#leave());
  }

  /** Starts over if the current connection is not established before the timeout. */
  #startConnectTimer() {
    const { link } = this;
    this.#setTimer('connect', CONNECT_TIMEOUT_MS, () => {
      if (this.link !== link || link?.isConnected) return undefined;
      return this.call.role === 'caller' ? this.#connect() : this.#requestOffer();
    });
  }

  /** Replaces the remote track of the same kind. */
  #onTrack(track) {
    for (const old of this.remote.getTracks()) if (old.kind === track.kind) this.remote.removeTrack(old);
    this.remote.addTrack(track);
    this.dispatchEvent(new Event('change'));
  }

  #onConnectionState(state) {
    if (state === 'connected') {
      for (const name of ['connect', 'restart', 'reconnect']) this.#clearTimer(name);
      this.#setState('in call', this.call);
      this.#report();
    } else if (state === 'disconnected' || state === 'failed') {
      const { link } = this;
      this.#setState('reconnecting', this.call);
      // Measured from the first loss: further attempts must not extend it.
      if (!this.#timers.has('reconnect'))
        this.#setTimer('reconnect', RECONNECT_TIMEOUT_MS, () => this.hangUp('connection_lost'));
      this.#setTimer('restart', state === 'failed' ? 0 : ICE_RESTART_DELAY_MS, () => this.restart(link));
    }
  }

  /** Reports to the service that the terminal is in the call, and schedules the next report. */
  #report() {
    const network_quality = this.link?.isConnected ? 'good' : 'poor';
    const report = { stage: 'joined', network_quality };
    // Not retried: the lease of a minute covers a lost report until the next one.
    this.api.post(`/calls/${this.call.id}/media-state`, report).catch(() => undefined);
    this.#setTimer('report', REPORT_INTERVAL_MS, () => this.#report());
  }

  /** Releases connection, media and timers. Does not notify the service. */
  #leave() {
    for (const name of this.#timers.keys()) this.#clearTimer(name);
    this.link?.close();
    this.link = null;
    for (const track of this.#media?.getTracks() ?? []) track.stop();
    this.#media = undefined;
    this.#configuration = undefined;
    this.#setState('idle', this.call);
  }

  #setState(state, call) {
    this.state = state;
    this.call = call;
    this.dispatchEvent(new Event('change'));
  }

  /** Queues `task` after a delay. Replaces the timer with the same name. */
  #setTimer(name, ms, task) {
    this.#clearTimer(name);
    const run = () => {
      this.#timers.delete(name);
      this.#enqueue(task);
    };
    this.#timers.set(name, setTimeout(run, ms));
  }

  #clearTimer(name) {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
