import type { Callboard } from '../callboard.js';
import { CallboardError, throwIfAborted } from '../errors.js';
import type { CallResponse, UserEvent } from '../generated/types.gen.js';
import { CallService } from './call-service.js';
import { CallSession } from './call-session.js';
import { type GetUserMedia, LocalMedia } from './local-media.js';
import type { LoadProvider, MediaProvider, MediaTicket } from './media/media.js';
import { rememberCall, rememberDevices, wasInCall, tabTerminalId } from './terminal-id.js';

export interface CallTerminalOptions {
  /**
   * Loaders of the media providers besides the built-in one:
   * `{ agora: async () => (await import('@callboard/client/agora')).agora }`.
   */
  providers?: { agora?: LoadProvider; livekit?: LoadProvider; webrtc?: LoadProvider };
  /** Id of this terminal, constant during its lifetime. Default: one id per tab. */
  terminalId?: string;
  /** Opens camera and microphone. Default: `navigator.mediaDevices.getUserMedia`. */
  getUserMedia?: GetUserMedia;
}

/**
 * A terminal of a user: rings, places and accepts calls, one at a time. Resumes the call of a page that was reloaded, and ends a
 * session that another terminal of the user has accepted or declined.
 */
export class CallTerminal {
  readonly #callboard: Callboard;
  readonly #options: CallTerminalOptions;
  readonly #listeners = new Set<() => void>();
  readonly #service: Promise<CallService>;
  readonly #unsubscribe: () => void;
  #session: CallSession | null = null;
  #lastTask: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(callboard: Callboard, options: CallTerminalOptions = {}) {
    this.#callboard = callboard;
    this.#options = options;
    this.#service = (async () => new CallService(callboard, options.terminalId ?? (await tabTerminalId())))();
    this.#unsubscribe = callboard.events.subscribe({
      onEvent: (event) => this.#enqueue(() => this.#receive(event)),
      // Events may have been missed: compares the session with the active call.
      onState: (state) => state === 'live' && this.#enqueue(() => this.#synchronise()),
      onResync: () => this.#enqueue(() => this.#synchronise()),
    });
  }

  /** Calls `listener` after a new call or a change of the call. Returns a function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the current call, or the last one that ended; null before the first call. */
  readonly getSession = (): CallSession | null => this.#session;

  /**
   * Places a call after the browser allowed camera and microphone. `prepared`: media that are open already, as for a preview; the
   * call stops them when it ends or cannot be placed. `signal`: places no call if it aborts before the request.
   * @throws {CallboardError} 41001 callee is busy, 41002 caller is in a call, 41003 callee is unreachable; `needs_https`,
   *   `media_…`
   * @throws {unknown} the signal's reason, if it aborted
   */
  async place(
    calleeId: number,
    mediaType: 'audio' | 'video' = 'video',
    prepared?: LocalMedia,
    signal?: AbortSignal,
  ): Promise<CallSession> {
    const local = prepared ?? (await this.#openMedia(mediaType));
    try {
      // Queued, so that events of the call are not processed before the response to this request.
      return await this.#inTurn(async () => {
        throwIfAborted(signal);
        if (this.#isBusy) throw new CallboardError(41002, '您正在通话中');
        const { call, ticket } = await (await this.#service).place(calleeId, mediaType);
        rememberCall(call.call_id);
        rememberDevices(local);
        return this.#open(call, { local, ticket });
      });
    } catch (error) {
      local.stop();
      throw error;
    }
  }

  /** Closes the terminal. The service keeps the call, so that the next page can resume it. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#session?.end('page_closed');
    this.#listeners.clear();
  }

  get #isBusy(): boolean {
    return this.#session !== null && this.#session.state !== 'ended';
  }

  /** Runs tasks one at a time, in the order of the events. A task that fails does not affect the next one. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#lastTask.then(task);
    this.#lastTask = done.catch(() => undefined);
    return done;
  }

  /** Queues a task and ignores its error: the next synchronisation corrects what it missed. */
  #enqueue(task: () => Promise<void>): void {
    this.#inTurn(async () => this.#isClosed || task()).catch(() => undefined);
  }

  async #receive(event: UserEvent): Promise<void> {
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
      const isForThisTerminal = !event.terminal_id || event.terminal_id === service.terminalId;
      // Without an id the signal has expired, and its sender starts a new connection.
      if (isForThisTerminal && event.signal_id !== undefined) await session.applySignal(event);
    } else if (event.type === 'call.answered_elsewhere' || event.type === 'call.declined_elsewhere') {
      const isThisTerminal = event.terminal_id === service.terminalId;
      if (!isThisTerminal)
        session.end(event.type === 'call.answered_elsewhere' ? 'answered_elsewhere' : 'declined_elsewhere');
    } else if ('call' in event) {
      // Both users receive `call.rejected`. A callee may receive it before `call.declined_elsewhere`.
      const isElsewhere = event.type === 'call.rejected' && session.role === 'callee';
      if (isElsewhere && event.terminal_id !== service.terminalId) session.end('declined_elsewhere');
      session.update(event.call);
      // The callee's terminal joins in `accept`; its other terminals receive `call.answered_elsewhere`.
      if (event.type === 'call.accepted' && session.role === 'caller') void session.join();
    }
  }

  /** Synchronises the session with the user's active call. */
  async #synchronise(): Promise<void> {
    // Until the tab has its terminal id, a duplicated tab still has the original's memory of the call.
    await this.#service;
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
    // A call that another terminal of the user has placed or accepted belongs to that terminal.
    if (!ringsHere && !wasInCall(call.call_id)) return;
    const resumed = await this.#open(call);
    if (call.status !== 'ringing') void resumed.join({ isResumed: true });
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
    session.subscribe(() => this.#notify());
    this.#hangUpBeforeLogOut(session);
    this.#session = session;
    this.#notify();
    return session;
  }

  /**
   * Hangs up before a log-out, because no request is possible afterwards and the peer would stay connected until the lease ends.
   * Leaves a ringing call alone: another terminal may accept it.
   */
  #hangUpBeforeLogOut(session: CallSession): void {
    const removeHook = this.#callboard.session.beforeLogOut(async () => {
      if (session.state !== 'ringing') await session.hangUp();
    });
    session.subscribe(() => session.state === 'ended' && removeHook());
  }

  #openMedia(type: 'audio' | 'video'): Promise<LocalMedia> {
    return LocalMedia.open(type, this.#options.getUserMedia);
  }

  /**
   * Returns the provider that `app_id` identifies (docs/calls.md).
   * @throws {CallboardError} `media_failed` if it is not configured
   */
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

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
