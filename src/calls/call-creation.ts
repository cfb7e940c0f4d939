import { randomInt, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Asker } from '../common/auth/principal';
import { plusSeconds } from '../common/clock';
import type { CallId, UserId } from '../common/ids';
import { BusinessError } from '../common/errors/business-error';
import { CONFIG, type Config } from '../config/config';
import { findRows, insertRows } from '../database/rows';
import { Transactions } from '../database/transactions';
import { BlocksService } from '../people/blocks/blocks.service';
import { CallAnnouncements } from './call-announcements';
import { makeRoom } from './store/call-lists';
import { CallTransitions, isOverdue } from './call-transitions';
import { isMissed } from './dto/call-record.dto';
import type { CreateCallRequest } from './dto/create-call.dto';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { ActiveCallParticipantEntity } from './entities/active-call-participant.entity';
import { BUSY, isBusyAttempt } from './rules/call-outcome';

/**
 * What an attempt to place a call has come to. `made` is new; `repeated` was made by this `request_id` before; `busy` is
 * in both histories; `overdue` calls, which should have ended by now, stand in the way.
 */
type Attempt =
  | { outcome: 'made' | 'repeated'; call: CallEntity }
  | { outcome: 'busy' }
  | { outcome: 'overdue'; calls: CallEntity[] };

/** A call to create. */
interface NewCall {
  callerId: UserId;
  request: CreateCallRequest;
  /** Whether the caller may name the callee (contract 16.1). */
  isVisible: boolean;
  now: Date;
}

const MAX_UID = 2 ** 32;

/** Places calls: at most one unfinished call per user, and one call per `request_id` (contract 3.1, 3.2, 3.4). */
@Injectable()
export class CallCreation {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly blocks: BlocksService,
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly announcements: CallAnnouncements,
  ) {}

  /**
   * The new call, or the one that this `request_id` made before, as it is now.
   * @throws {BusinessError} REQUEST_ID_REUSED, UNAUTHORIZED (the caller is disabled), USER_NOT_FOUND, CALLEE_UNREACHABLE, CALLER_BUSY (nothing is recorded),
   * CALLEE_BUSY (the attempt is in both histories)
   */
  async create(caller: Asker, request: CreateCallRequest, now: Date): Promise<CallEntity> {
    const isVisible = await this.blocks.mayName(caller, request.callee_id);
    const attemptOnce = () => this.#attempt({ callerId: caller.id, request, isVisible, now });
    let attempt = await attemptOnce();
    while (attempt.outcome === 'overdue') {
      for (const { id } of attempt.calls) await this.transitions.expireIfDue(id);
      attempt = await attemptOnce();
    }
    if (attempt.outcome === 'busy') throw new BusinessError('CALLEE_BUSY');
    return attempt.outcome === 'made' ? attempt.call : this.transitions.expireIfDue(attempt.call.id);
  }

  /** Looks, then inserts: when a unique key says that somebody was faster, looks again and finds what they made. */
  #attempt(call: NewCall): Promise<Attempt> {
    return this.transactions.run((em) => this.#findOrOpen(em, call), { retryWhenTaken: true });
  }

  async #findOrOpen(em: EntityManager, { callerId, request, isVisible, now }: NewCall): Promise<Attempt> {
    const calleeId = request.callee_id;
    // Who is in a call before the request_id: a call that this very request made at the same time is then known for its
    // own.
    const taken = await findRows(em, ActiveCallParticipantEntity, {
      user_id: [callerId, calleeId as UserId],
    });
    const earlier = await this.#findByRequestId(em, callerId, request);
    if (earlier) return isBusyAttempt(earlier) ? { outcome: 'busy' } : { outcome: 'repeated', call: earlier };
    const overdue = await this.#overdueAmong(em, taken, now);
    if (overdue.length > 0) return { outcome: 'overdue', calls: overdue };

    const { users: known, isBlocked } = await this.blocks.callParties(em, callerId, calleeId);
    // Another instance remembers the token of a user who was disabled for up to ten seconds.
    if (known.get(callerId)?.enabled === false)
      throw new BusinessError('UNAUTHORIZED', { reason: 'disabled' });
    const callee = known.get(calleeId);
    if (!callee || !isVisible) throw new BusinessError('USER_NOT_FOUND');
    if (calleeId === callerId || !callee.enabled || isBlocked) throw new BusinessError('CALLEE_UNREACHABLE');

    if (taken.some(({ user_id }) => user_id === callerId)) throw new BusinessError('CALLER_BUSY');
    const isBusy = taken.length > 0;
    const call = this.#newCall(callerId, request, now);
    const made = isBusy ? await this.#insertBusy(em, call, now) : await this.#insertRinging(em, call);
    await this.announcements.announce(em, null, made, { known });
    return isBusy ? { outcome: 'busy' } : { outcome: 'made', call: made };
  }

  /** Calls that should have ended by now stand in nobody's way. */
  async #overdueAmong(
    em: EntityManager,
    taken: ActiveCallParticipantEntity[],
    now: Date,
  ): Promise<CallEntity[]> {
    if (taken.length === 0) return [];
    const calls = await findRows(em, CallEntity, { id: taken.map(({ call_id }) => call_id) });
    return calls.filter((call) => isOverdue(call, now));
  }

  async #findByRequestId(
    em: EntityManager,
    callerId: UserId,
    request: CreateCallRequest,
  ): Promise<CallEntity | undefined> {
    if (request.request_id === undefined) return undefined;
    const sent = { caller_id: callerId, request_id: request.request_id };
    const [call] = await findRows(em, CallEntity, sent);
    const isOther = call && (call.callee_id !== request.callee_id || call.media_type !== request.media_type);
    if (isOther) throw new BusinessError('REQUEST_ID_REUSED');
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

  /** The attempt that found its callee busy: over at once. */
  #insertBusy(em: EntityManager, call: Omit<CallEntity, 'id'>, now: Date): Promise<CallEntity> {
    const over = {
      status: 'ended',
      end_reason: BUSY,
      deadline_at: null,
      ring_expires_at: now,
      ended_at: now,
    } as const;
    return this.#insert(em, { ...call, ...over });
  }

  async #insertRinging(em: EntityManager, call: Omit<CallEntity, 'id'>): Promise<CallEntity> {
    const inserted = await this.#insert(em, call);
    // The lower user id first, always: two calls between the same users then queue instead of locking each other out.
    const userIds = [call.caller_id, call.callee_id].toSorted((a, b) => a - b);
    const participants = userIds.map((user_id) => ({ user_id, call_id: inserted.id }));
    await insertRows(em, ActiveCallParticipantEntity, participants);
    return inserted;
  }

  async #insert(em: EntityManager, call: Omit<CallEntity, 'id'>): Promise<CallEntity> {
    const { caller_id, callee_id, media_type } = call;
    const missed = isMissed(call);
    const enterLists = await makeRoom(em, call, missed);
    const call_id = (await insertRows(em, CallEntity, [call])) as CallId;
    await enterLists(call_id);
    await insertRows(em, CallHistoryEntity, [
      { user_id: caller_id, call_id, peer_id: callee_id, direction: 'outgoing', media_type, missed: false },
      { user_id: callee_id, call_id, peer_id: caller_id, direction: 'incoming', media_type, missed },
    ]);
    return { ...call, id: call_id };
  }
}

function otherUid(uid: number): number {
  const other = randomInt(1, MAX_UID - 1);
  return other >= uid ? other + 1 : other;
}
