import { Api } from './api.mjs';
import { followEvents } from './event-stream.mjs';
import { deliver } from './outbox.mjs';
import { PeerLink } from './peer-link.mjs';

/** A connection that is not up by then is begun anew, whatever the cause. */
const PATIENCE_MS = 10_000;
/** A callee to whom no offer has come by then asks for one. */
const ASK_AFTER_MS = 3_000;
/** A connection that broke often mends itself within this. */
const BROKEN_MS = 3_000;
/** And when all is in vain, the call is over. */
const GIVE_UP_MS = 45_000;
const REPORT_EVERY_MS = 20_000;

const OVER = new Set(['call.ended', 'call.rejected', 'call.cancelled']);

/**
 * A terminal of the built-in provider: rings, places and answers calls, and keeps the media of the one it is in. Its
 * `state` is `idle`, `calling`, `ringing`, `connecting`, `in call` or `reconnecting`; a `change` event tells of each.
 */
export class CallTerminal extends EventTarget {
  state = 'idle';
  /** The call it is in or has been in last: `id`, `role`, `endReason`. */
  call = null;
  /** What the other one is seen and heard by. */
  remote = new MediaStream();
  link = null;
  #configuration;
  #media;
  #timers = new Map();
  #turn = Promise.resolve();
  #stopping = new AbortController();

  /**
   * @param url of the service; `token`: answers the bearer token of the moment
   * @param terminalId the same for as long as its window lives
   * @param getMedia answers the MediaStream to send, for `audio` or `video`
   * @param configure changes what the service configures connections with (tests)
   */
  constructor({ url, token, terminalId, getMedia, configure = (configuration) => configuration }) {
    super();
    this.api = new Api({ url, token, terminalId });
    Object.assign(this, { terminalId, getMedia, configure });
  }

  /** Begins to listen, and goes on with the call that a page before this one has left. */
  async start() {
    const { data: active, cursor } = await this.api.get('/calls/active');
    const onEvent = (event) => this.#later(() => this.#hear(event));
    void followEvents({ api: this.api, after: cursor, onEvent, signal: this.#stopping.signal });
    if (active === null) return;
    const role = active.direction === 'outgoing' ? 'caller' : 'callee';
    const call = { id: active.call_id, role, mediaType: active.media_type };
    if (active.status !== 'ringing') await this.#inTurn(() => this.#resume(call));
    else this.#change(role === 'caller' ? 'calling' : 'ringing', call);
  }

  stop() {
    this.#stopping.abort();
    this.#leave();
  }

  /** Calls somebody; camera and microphone are asked for first. */
  async place(calleeId, mediaType = 'video') {
    this.#media = await this.getMedia(mediaType);
    // In turn: what is heard of the call must not come before the answer to this.
    await this.#inTurn(async () => {
      const placed = await this.api.post('/calls', { callee_id: calleeId, media_type: mediaType });
      this.#configuration = JSON.parse(placed.rtc_token);
      this.#change('calling', { id: placed.call_id, role: 'caller', mediaType });
    });
  }

  /** Answers the call that rings. */
  async accept() {
    const { call } = this;
    this.#media = await this.getMedia(call.mediaType);
    await this.#inTurn(async () => {
      const accepted = await this.api.post(`/calls/${call.id}/accept`);
      this.#configuration = JSON.parse(accepted.rtc_token);
      this.#change('connecting', call);
      this.#after('ask', ASK_AFTER_MS, () => this.link === null && this.#ask());
    });
  }

  /** Ends the call, takes it back, or declines it. */
  async hangUp(reason) {
    const { id } = this.call;
    const act = { calling: 'cancel', ringing: 'reject' }[this.state] ?? 'hangup';
    this.#leave();
    await this.api.post(`/calls/${id}/${act}`, reason === undefined ? {} : { reason });
  }

  /** Looks for another way through the network. */
  async restart(link = this.link) {
    const { rtc_token } = await this.api.post(`/calls/${this.call.id}/token`);
    if (link !== this.link || link === null) return;
    this.#configuration = JSON.parse(rtc_token);
    link.restart(this.configure(this.#configuration));
    this.#expectToConnect();
  }

  /** One thing after the other, in the order of the events; what fails leaves the next one alone. */
  #inTurn(act) {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** What nobody waits for. */
  #later(act) {
    this.#inTurn(act).catch((error) => this.dispatchEvent(new CustomEvent('problem', { detail: error })));
  }

  async #hear(event) {
    const { call } = this;
    if (event.type === 'call.ringing' && this.state === 'idle') {
      const { call_id: id, media_type: mediaType } = event.call;
      this.#change('ringing', { id, role: 'callee', mediaType });
    } else if (this.state === 'idle' || (event.call_id ?? event.call?.call_id) !== call.id) {
      return;
    } else if (event.type === 'call.accepted' && call.role === 'caller') {
      if (this.#configuration === undefined) await this.#resume(call);
      else this.#begin();
    } else if (event.type === 'call.answered_elsewhere' && event.terminal_id !== this.terminalId) {
      this.#leave();
    } else if (event.type === 'call.signal') {
      const isForThis = event.terminal_id === null || event.terminal_id === this.terminalId;
      // Without an id it is over: whoever sent it begins anew.
      if (isForThis && event.signal_id !== undefined) await this.#take(event);
    } else if (OVER.has(event.type)) {
      call.endReason = event.call.end_reason;
      this.#leave();
    }
  }

  /** The caller alone begins connections, so that two ends never begin against each other; the callee follows. */
  async #take(signal) {
    const isCaller = this.call.role === 'caller';
    if (signal.session_id === null) {
      if (isCaller) this.#begin();
      return;
    }
    if (signal.session_id !== this.link?.sessionId) {
      // Of a connection that is over.
      if (isCaller || signal.description?.type !== 'offer') return;
      this.#begin(signal.session_id);
    }
    await this.link.take(signal);
  }

  async #resume(call) {
    const { rtc_token } = await this.api.post(`/calls/${call.id}/token`);
    this.#media = await this.getMedia(call.mediaType);
    this.#configuration = JSON.parse(rtc_token);
    this.#change('connecting', call);
    if (call.role === 'caller') this.#begin();
    else await this.#ask();
  }

  /** A new connection, in the place of any before; a caller's names it. */
  #begin(sessionId = crypto.randomUUID()) {
    this.link?.close();
    const link = new PeerLink({
      api: this.api,
      callId: this.call.id,
      sessionId,
      configuration: this.configure(this.#configuration),
      isPolite: this.call.role === 'callee',
      media: this.#media,
      onTrack: ({ track }) => this.#show(track),
      onState: (state) => this.#later(() => link === this.link && this.#follow(state)),
      onRefused: () => this.#later(() => link === this.link && this.#leave()),
    });
    this.link = link;
    this.#change('connecting', this.call);
    this.#expectToConnect();
  }

  /** A callee without a connection asks for an offer. Refused: the call is over, or another terminal's. */
  async #ask() {
    const path = `/calls/${this.call.id}/signals`;
    const signal = {};
    this.#expectToConnect();
    await deliver(() => this.api.post(path, signal), signal).catch(() => this.#leave());
  }

  #expectToConnect() {
    const { link } = this;
    this.#after('patience', PATIENCE_MS, () => {
      if (this.link !== link || link?.isConnected) return undefined;
      return this.call.role === 'caller' ? this.#begin() : this.#ask();
    });
  }

  #show(track) {
    for (const old of this.remote.getTracks()) if (old.kind === track.kind) this.remote.removeTrack(old);
    this.remote.addTrack(track);
    this.dispatchEvent(new Event('change'));
  }

  #follow(state) {
    if (state === 'connected') {
      for (const name of ['patience', 'restart', 'give up']) this.#cancel(name);
      this.#change('in call', this.call);
      this.#report();
    } else if (state === 'disconnected' || state === 'failed') {
      const { link } = this;
      this.#change('reconnecting', this.call);
      if (!this.#timers.has('give up'))
        this.#after('give up', GIVE_UP_MS, () => this.hangUp('connection_lost'));
      this.#after('restart', state === 'failed' ? 0 : BROKEN_MS, () => this.restart(link));
    }
  }

  /** Tells the service that the terminal is there: of whom it hears nothing for a minute, it ends the call. */
  #report() {
    const network_quality = this.link?.isConnected ? 'good' : 'poor';
    const report = { stage: 'joined', network_quality };
    // One that is lost is made up for by the next.
    this.api.post(`/calls/${this.call.id}/media-state`, report).catch(() => undefined);
    this.#after('report', REPORT_EVERY_MS, () => this.#report());
  }

  #leave() {
    for (const name of this.#timers.keys()) this.#cancel(name);
    this.link?.close();
    this.link = null;
    for (const track of this.#media?.getTracks() ?? []) track.stop();
    this.#media = undefined;
    this.#configuration = undefined;
    this.#change('idle', this.call);
  }

  #change(state, call) {
    this.state = state;
    this.call = call;
    this.dispatchEvent(new Event('change'));
  }

  #after(name, ms, act) {
    this.#cancel(name);
    const run = () => {
      this.#timers.delete(name);
      this.#later(act);
    };
    this.#timers.set(name, setTimeout(run, ms));
  }

  #cancel(name) {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
