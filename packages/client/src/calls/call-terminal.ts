import type { Callboard } from '../callboard.js';
import { CallboardError } from '../errors.js';
import type { CallResponse, UserEvent } from '../generated/types.gen.js';
import { CallService } from './call-service.js';
import { CallSession } from './call-session.js';
import { type GetUserMedia, LocalMedia } from './local-media.js';
import type { LoadProvider, MediaProvider, MediaTicket } from './media/media.js';
import { rememberCall, wasInCall, tabTerminalId } from './terminal-id.js';

export interface CallTerminalOptions {
  /**
   * The media providers besides the built-in one, by how they are loaded:
   * `{ agora: async () => (await import('@callboard/client/agora')).agora }`.
   */
  providers?: { agora?: LoadProvider; livekit?: LoadProvider; webrtc?: LoadProvider };
  /** Names this terminal, the same for as long as it lives; left out: one per window. */
  terminalId?: string;
  /** Asks for camera and microphone; left out: the browser. */
  getUserMedia?: GetUserMedia;
}

/**
 * The terminal of a user: rings, places and answers calls, one at a time. A call that a page before this one has left goes
 * on, and what happens elsewhere is told.
 */
export class CallTerminal {
  readonly #callboard: Callboard;
  readonly #options: CallTerminalOptions;
  readonly #listeners = new Set<() => void>();
  readonly #service: Promise<CallService>;
  readonly #unsubscribe: () => void;
  #session: CallSession | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(callboard: Callboard, options: CallTerminalOptions = {}) {
    this.#callboard = callboard;
    this.#options = options;
    this.#service = (async () => new CallService(callboard, options.terminalId ?? (await tabTerminalId())))();
    this.#unsubscribe = callboard.events.subscribe({
      onEvent: (event) => this.#later(() => this.#hear(event)),
      // What was missed shows in the call that there is.
      onState: (state) => state === 'live' && this.#later(() => this.#compare()),
      onResync: () => this.#later(() => this.#compare()),
    });
  }

  /** Calls `listener` when the call is another one, or has changed; answers what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The call that rings or goes on, or has ended last; null before the first. */
  readonly getSession = (): CallSession | null => this.#session;

  /**
   * Calls somebody, once camera and microphone are allowed.
   * @throws {CallboardError} 41001 busy, 41002 in a call oneself, 41003 not to be reached; `needs_https`, `media_…`
   */
  async place(calleeId: number, mediaType: 'audio' | 'video' = 'video'): Promise<CallSession> {
    const local = await this.#openMedia(mediaType);
    try {
      // In turn: what is heard of the call must not come before the answer to this.
      return await this.#inTurn(async () => {
        if (this.#isBusy) throw new CallboardError(41002, '您正在通话中');
        const { call, ticket } = await (await this.#service).place(calleeId, mediaType);
        rememberCall(call.call_id);
        return this.#open(call, { local, ticket });
      });
    } catch (error) {
      local.stop();
      throw error;
    }
  }

  /** Ends it; a call goes on at the service, for a page that comes after this one. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#session?.end('page_closed');
    this.#listeners.clear();
  }

  get #isBusy(): boolean {
    return this.#session !== null && this.#session.state !== 'ended';
  }

  /** One thing after the other, in the order of the events; what fails leaves the next one alone. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** What nobody waits for; what was missed by it shows the next time. */
  #later(act: () => Promise<void>): void {
    this.#inTurn(async () => this.#isClosed || act()).catch(() => undefined);
  }

  async #hear(event: UserEvent): Promise<void> {
    const service = await this.#service;
    if ('call' in event) service.clock.note(event.call.server_time);
    if (event.type === 'call.ringing' && !this.#isBusy) {
      await this.#open(event.call);
      return;
    }
    const session = this.#session;
    const callId =
      'call' in event ? event.call.call_id : event.type === 'call.signal' ? event.call_id : undefined;
    if (session === null || session.id !== callId) return;
    if (event.type === 'call.signal') {
      const isForThis = !event.terminal_id || event.terminal_id === service.terminalId;
      // Without an id it is over: whoever sent it begins anew.
      if (isForThis && event.signal_id !== undefined) await session.hear(event);
    } else if (event.type === 'call.answered_elsewhere' || event.type === 'call.declined_elsewhere') {
      const isOwn = event.terminal_id === service.terminalId;
      if (!isOwn)
        session.end(event.type === 'call.answered_elsewhere' ? 'answered_elsewhere' : 'declined_elsewhere');
    } else if ('call' in event) {
      // Both users are told of it, and a callee may hear this first.
      const isElsewhere = event.type === 'call.rejected' && session.role === 'callee';
      if (isElsewhere && event.terminal_id !== service.terminalId) session.end('declined_elsewhere');
      session.update(event.call);
      // The ringing terminal joins when it accepts; another one hears that it did not.
      if (event.type === 'call.accepted' && session.role === 'caller') void session.join();
    }
  }

  /** Holds the session to the call that there is. */
  async #compare(): Promise<void> {
    const { data: call } = await this.#callboard.snapshot.activeCall();
    const session = this.#session;
    if (session !== null && this.#isBusy) {
      if (session.id !== call?.call_id) await session.refresh();
      else {
        session.update(call);
        if (call.status !== 'ringing' && session.state === 'calling') void session.join();
      }
    }
    if (call === null || this.#isBusy) return;
    const ringsHere = call.direction === 'incoming' && call.status === 'ringing';
    // What another terminal of the user has placed or answered is that one's.
    if (!ringsHere && !wasInCall(call.call_id)) return;
    const found = await this.#open(call);
    if (call.status !== 'ringing') void found.join({ isResumed: true });
  }

  async #open(
    call: CallResponse,
    more: { local?: LocalMedia; ticket?: MediaTicket } = {},
  ): Promise<CallSession> {
    const session = new CallSession({
      call,
      service: await this.#service,
      providerOf: (appId) => this.#providerOf(appId),
      openMedia: (type) => this.#openMedia(type),
      ...more,
    });
    session.subscribe(() => this.#tell());
    this.#hangUpBeforeLogOut(session);
    this.#session = session;
    this.#tell();
    return session;
  }

  /** Else nobody could: the other one would talk to nobody until the lease ends. What only rings may be answered elsewhere. */
  #hangUpBeforeLogOut(session: CallSession): void {
    const forget = this.#callboard.session.beforeLogOut(async () => {
      if (session.state !== 'ringing') await session.hangUp();
    });
    session.subscribe(() => session.state === 'ended' && forget());
  }

  #openMedia(type: 'audio' | 'video'): Promise<LocalMedia> {
    return LocalMedia.open(type, this.#options.getUserMedia);
  }

  /** `app_id` tells the provider in force (docs/calls.md). */
  async #providerOf(appId: string): Promise<MediaProvider> {
    const { providers = {} } = this.#options;
    const name = appId === 'webrtc' ? 'webrtc' : /^(?:ws|http)s?:/.test(appId) ? 'livekit' : 'agora';
    if (name === 'webrtc' && providers.webrtc === undefined)
      return (await import('./media/webrtc.js')).webrtc;
    const load = providers[name];
    if (load === undefined)
      throw new CallboardError('media_failed', `The provider ${name} is not among \`providers\``);
    return load();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
