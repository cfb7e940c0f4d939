import type { Callboard } from '../callboard.js';
import { CallboardError } from '../errors.js';
import type { CallResponse, SendSignalRequest } from '../generated/types.gen.js';
import type { CallState } from './call-state.js';
import type { MediaTicket } from './media/media.js';
import { ServerClock } from './server-clock.js';

/** The fields of a response that a media ticket is made of. */
interface TicketFields {
  app_id: string;
  channel_name: string;
  rtc_token: string | null;
  expire_at: string | null;
}

/** Requests of one terminal about calls. */
export class CallService {
  readonly clock = new ServerClock();
  readonly #expiries = new Map<number, string | null>();

  constructor(
    readonly callboard: Callboard,
    readonly terminalId: string,
  ) {}

  /**
   * Places a call. Cancels it if its state cannot be fetched, because no terminal would show it.
   * @throws {CallboardError} 41001 callee is busy, 41002 caller is in a call, 41003 callee is unreachable
   */
  async place(
    calleeId: number,
    mediaType: 'audio' | 'video',
  ): Promise<{ call: CallResponse; ticket: MediaTicket }> {
    const body = { callee_id: calleeId, media_type: mediaType, terminal_id: this.terminalId };
    const placed = await this.callboard.calls.place({ body });
    try {
      const call = await this.get(placed.call_id);
      return { call, ticket: this.#ticket(placed.call_id, placed, placed.caller_uid) };
    } catch (error) {
      await this.leave(placed.call_id, 'calling', undefined).catch(() => undefined);
      throw error;
    }
  }

  async get(callId: number): Promise<CallResponse> {
    const call = await this.callboard.calls.get({ path: { callId } });
    this.clock.note(call.server_time);
    return call;
  }

  async accept(callId: number): Promise<MediaTicket> {
    const accepted = await this.callboard.calls.accept({ path: { callId }, body: this.#self });
    return this.#ticket(callId, accepted, accepted.callee_uid);
  }

  async renew(callId: number): Promise<MediaTicket> {
    const renewed = await this.callboard.calls.renewToken({ path: { callId }, body: this.#self });
    return this.#ticket(callId, renewed, renewed.uid);
  }

  /** Returns the time at which the ticket of a call expires; null if it does not. */
  expiryOf = (callId: number): string | null => this.#expiries.get(callId) ?? null;

  /**
   * Cancels, rejects or hangs up a call, depending on its state. Ignores the error if the call has ended or changed
   * meanwhile.
   */
  async leave(callId: number, state: CallState, reason: string | undefined): Promise<void> {
    const { calls } = this.callboard;
    const parts = { path: { callId }, body: { ...this.#self, reason } };
    try {
      if (state === 'calling') await calls.cancel(parts);
      else if (state === 'ringing') await calls.reject(parts);
      else await calls.hangUp(parts);
    } catch (error) {
      const code = error instanceof CallboardError ? error.code : undefined;
      // The callee accepted the call while it was being cancelled.
      if (code === 41008 && state === 'calling') await calls.hangUp(parts);
      else if (code !== 41007 && code !== 41008) throw error;
    }
  }

  async report(callId: number, networkQuality: string): Promise<void> {
    const body = { ...this.#self, stage: 'joined', network_quality: networkQuality };
    await this.callboard.calls.reportMedia({ path: { callId }, body });
  }

  async signal(callId: number, signal: Omit<SendSignalRequest, 'terminal_id'>): Promise<void> {
    await this.callboard.calls.sendSignal({ path: { callId }, body: { ...this.#self, ...signal } });
  }

  get #self(): { terminal_id: string } {
    return { terminal_id: this.terminalId };
  }

  #ticket(
    callId: number,
    { app_id, channel_name, rtc_token, expire_at }: TicketFields,
    uid: string,
  ): MediaTicket {
    this.#expiries.set(callId, expire_at);
    return { appId: app_id, channelName: channel_name, token: rtc_token ?? '', uid };
  }
}
