import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { CallId, UserId } from '../../common/ids';
import { EMPTY } from '../../common/input/fields';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { decide, isInCall, terminalOf } from '../rules/call-state.rules';
import { callActorOf, CallTransitions, isOverdue } from '../services/call-transitions';
import type { SendSignalRequest } from '../dto/send-signal.dto';
import { isRenewalDue } from '../media/liveness';
import { MediaPresenceService } from '../media/media-presence.service';
import {
  deleteOldSignalsOf,
  findSignalBody,
  insertSignal,
  lockForSignal,
  type SignallingState,
} from '../store/call-signals.store';
import { toContent } from './signal-content';
import { SIGNAL_LIFE_SECONDS, signalHorizon } from './signal-life';

/** Maximum number of unexpired signals per user and call. */
const MAX_SIGNALS = 200;

/** Relays the signals by which the two terminals of an answered call connect (API 6.4). */
@Injectable()
export class CallSignalsService {
  constructor(
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly presence: MediaPresenceService,
    private readonly clock: Clock,
  ) {}

  /**
   * Relays a signal to the other user of the call. A repeated signal changes nothing.
   * @throws {BusinessError} CALL_NOT_FOUND; the error of the state table for this terminal and status; VALIDATION if
   *   the caller omits `session_id`; REQUEST_ID_REUSED; TOO_MANY_REQUESTS if `MAX_SIGNALS` are stored
   */
  async send(userId: UserId, callId: CallId, signal: SendSignalRequest): Promise<void> {
    const relay = (): Promise<boolean> =>
      this.transactions.run((em) => this.#relay(em, userId, callId, signal), { retryOnDuplicateKey: true });
    while (!(await relay())) await this.transitions.expireIfDue(callId);
  }

  /** @returns false, without having written anything, if the call is past its deadline */
  async #relay(
    em: EntityManager,
    userId: UserId,
    callId: CallId,
    signal: SendSignalRequest,
  ): Promise<boolean> {
    const state = await lockForSignal(em, callId, userId);
    if (state === undefined) throw new BusinessError('CALL_NOT_FOUND');
    const { call, leaseUntil } = state;
    const now = this.clock.now();
    if (isOverdue(call, now)) return false;
    assertMaySignal(call, userId, signal);

    const peerId = callActorOf(call, userId) === 'caller' ? call.callee_id : call.caller_id;
    const { signal_id } = signal;
    const body = JSON.stringify({
      call_id: callId,
      terminal_id: terminalOf(call, peerId),
      signal_id,
      ...toContent(signal),
    });
    if (await this.#isRepetition(em, userId, state, { signal_id, body })) return true;
    const row = { call_id: callId, sender_id: userId, signal_id, body, created_at: now };
    const number = await insertSignal(em, row);
    if (isRenewalDue(leaseUntil, now))
      await this.presence.renewLeases(em, [{ userId, callId }], { canStart: true });
    this.events.append(em, [
      { userId: peerId, type: 'call.signal', payload: { call_id: callId, signal: number } },
    ]);
    return true;
  }

  /**
   * Whether the user has sent this signal before, among the unexpired ones. Deletes the expired signals of the call.
   * @throws {BusinessError} REQUEST_ID_REUSED, TOO_MANY_REQUESTS
   */
  async #isRepetition(
    em: EntityManager,
    userId: UserId,
    { call, sent }: SignallingState,
    { signal_id, body }: { signal_id: string; body: string },
  ): Promise<boolean> {
    const now = this.clock.now();
    const horizon = signalHorizon(now);
    const unexpired = sent.filter(({ created_at }) => created_at > horizon);
    if (unexpired.length < sent.length) await deleteOldSignalsOf(em, call.id, horizon);
    if (unexpired.some((signal) => signal.signal_id === signal_id)) {
      if ((await findSignalBody(em, call.id, userId, signal_id)) === body) return true;
      throw new BusinessError('REQUEST_ID_REUSED');
    }
    if (unexpired.length < MAX_SIGNALS) return false;
    const oldest = Math.min(...unexpired.map(({ created_at }) => created_at.getTime()));
    const retryAfterSeconds = Math.ceil((oldest - now.getTime()) / 1000) + SIGNAL_LIFE_SECONDS;
    throw new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds });
  }
}

/** @throws {BusinessError} the error of the state table; VALIDATION: only the callee may request an offer */
function assertMaySignal(
  call: SignallingState['call'],
  userId: UserId,
  { terminal_id, session_id }: SendSignalRequest,
): void {
  const actor = callActorOf(call, userId);
  const outcome = decide(call.status, 'signal', actor, isInCall(call, userId, terminal_id));
  if (outcome !== 'keep' && 'refuse' in outcome) throw new BusinessError(outcome.refuse);
  if (actor === 'caller' && session_id === undefined) throw invalidField('session_id', EMPTY);
}
