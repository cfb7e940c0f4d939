import { randomInt, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Asker } from '../../common/auth/principal';
import { plusSeconds } from '../../common/clock';
import type { UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { pipeline } from '../../database/transaction-statements';
import { BlocksService } from '../../people/blocks/blocks.service';
import { CallEventPublisher } from '../events/call-event-publisher';
import {
  activeParticipants,
  callByRequest,
  callsByIds,
  insertCall,
  insertParticipants,
} from '../store/calls.store';
import { CallTransitions, isOverdue } from './call-transitions';
import type { CreateCallRequest } from '../dto/create-call.dto';
import type { CallEntity } from '../entities/call.entity';
import { BUSY, isBusyAttempt } from '../rules/call-outcome.rules';
import { callParties } from '../../people/blocks/blocks.store';

/**
 * Result of an attempt to place a call. `created`: a new call. `repeated`: the call that this `request_id` created
 * earlier. `busy`: the callee is in another call; the attempt is in both histories. `overdue`: calls past their
 * deadline still occupy a participant and must be ended first.
 */
type Attempt =
  | { outcome: 'created' | 'repeated'; call: CallEntity }
  | { outcome: 'busy' }
  | { outcome: 'overdue'; calls: CallEntity[] };

/** A call to create. */
interface NewCall {
  callerId: UserId;
  request: CreateCallRequest;
  /** Whether the caller may call the callee (API 9.4). */
  isVisible: boolean;
  now: Date;
}

const MAX_UID = 2 ** 32;

/**
 * Creates calls: at most one unfinished call per user, one call per caller and `request_id` (API 5.2, 5.5, 5.8).
 */
@Injectable()
export class CallCreation {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly blocks: BlocksService,
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly publisher: CallEventPublisher,
  ) {}

  /**
   * Creates a call. Returns the existing call, in its current state, if this `request_id` created one earlier.
   * @throws {BusinessError} REQUEST_ID_REUSED, UNAUTHORIZED (the caller is disabled), USER_NOT_FOUND,
   *   CALLEE_UNREACHABLE, CALLER_BUSY (nothing is recorded), CALLEE_BUSY (the attempt is in both histories)
   */
  async create(caller: Asker, request: CreateCallRequest, now: Date): Promise<CallEntity> {
    const isVisible = await this.blocks.mayName(caller, request.callee_id);
    for (;;) {
      // Reads, then inserts. After a duplicate key it starts over and finds the rows of the concurrent transaction.
      const attempt = await this.transactions.run(
        (em) => this.#attempt(em, { callerId: caller.id, request, isVisible, now }),
        { retryOnDuplicateKey: true },
      );
      if (attempt.outcome === 'busy') throw new BusinessError('CALLEE_BUSY');
      if (attempt.outcome !== 'overdue')
        return attempt.outcome === 'created' ? attempt.call : this.transitions.expireIfDue(attempt.call.id);
      for (const { id } of attempt.calls) await this.transitions.expireIfDue(id);
    }
  }

  async #attempt(em: EntityManager, { callerId, request, isVisible, now }: NewCall): Promise<Attempt> {
    const calleeId = request.callee_id;
    // Read the active participants before the request_id. In the other order, a concurrent repetition of this request
    // could commit in between, and its call would look like another call of the caller (CALLER_BUSY).
    const [active, existing, { users: participants, isBlocked }] = await Promise.all([
      activeParticipants(em, [callerId, calleeId as UserId]),
      this.#findByRequestId(em, callerId, request),
      callParties(em, callerId, calleeId),
    ]);
    if (existing)
      return isBusyAttempt(existing) ? { outcome: 'busy' } : { outcome: 'repeated', call: existing };
    // A call past its deadline must not make a user busy.
    const callIds = active.map(({ call_id }) => call_id);
    const overdue = (await callsByIds(em, callIds)).filter((call) => isOverdue(call, now));
    if (overdue.length > 0) return { outcome: 'overdue', calls: overdue };

    // Another instance may accept the cached token of a disabled user for up to 10 s.
    if (participants.get(callerId)?.enabled === false)
      throw new BusinessError('UNAUTHORIZED', { reason: 'disabled' });
    const callee = participants.get(calleeId);
    if (!callee || !isVisible) throw new BusinessError('USER_NOT_FOUND');
    if (calleeId === callerId || !callee.enabled || isBlocked) throw new BusinessError('CALLEE_UNREACHABLE');

    if (active.some(({ user_id }) => user_id === callerId)) throw new BusinessError('CALLER_BUSY');
    const isBusy = active.length > 0;
    const ringing = this.#newCall(callerId, request, now);
    const created = await insertCall(em, isBusy ? { ...ringing, ...busyEnd(now) } : ringing);
    if (!isBusy) pipeline(em, insertParticipants(em, created));
    await this.publisher.publish(em, null, created, { now, participants });
    return isBusy ? { outcome: 'busy' } : { outcome: 'created', call: created };
  }

  async #findByRequestId(
    em: EntityManager,
    callerId: UserId,
    request: CreateCallRequest,
  ): Promise<CallEntity | undefined> {
    if (request.request_id === undefined) return undefined;
    const call = await callByRequest(em, callerId, request.request_id);
    const isDifferent =
      call && (call.callee_id !== request.callee_id || call.media_type !== request.media_type);
    if (isDifferent) throw new BusinessError('REQUEST_ID_REUSED');
    return call;
  }

  #newCall(callerId: UserId, request: CreateCallRequest, now: Date): Omit<CallEntity, 'id'> {
    const callerUid = randomInt(1, MAX_UID);
    const ringExpiresAt = plusSeconds(now, this.config.calls.ringTimeoutSeconds);
    return {
      caller_id: callerId,
      callee_id: request.callee_id as UserId,
      request_id: request.request_id ?? null,
      media_type: request.media_type,
      status: 'ringing',
      end_reason: null,
      ended_by: null,
      version: 1,
      channel_name: `call-${randomUUID()}`,
      caller_uid: callerUid,
      callee_uid: otherUid(callerUid),
      caller_terminal_id: request.terminal_id,
      answered_terminal_id: null,
      deadline_at: ringExpiresAt,
      created_at: now,
      ring_expires_at: ringExpiresAt,
      accepted_at: null,
      started_at: null,
      ended_at: null,
    };
  }
}

/** Returns the columns of an attempt to reach a busy callee, which is a call that has ended already. */
const busyEnd = (now: Date) =>
  ({ status: 'ended', end_reason: BUSY, deadline_at: null, ring_expires_at: now, ended_at: now }) as const;

/** Returns a random uid that differs from `uid`. */
function otherUid(uid: number): number {
  const other = randomInt(1, MAX_UID - 1);
  return other >= uid ? other + 1 : other;
}
