import { randomInt, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { plusSeconds } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { CONFIG, type Config } from '../config/config';
import { findRows, insertRows } from '../database/statements';
import { Transactions } from '../database/transactions';
import { UsersService } from '../identity/users.service';
import { CallAnnouncements } from './call-announcements';
import { CallTransitions, isOverdue } from './call-transitions';
import { isMissed } from './dto/call-record.dto';
import type { CreateCallDto } from './dto/create-call.dto';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { CallSeatEntity } from './entities/call-seat.entity';

const MAX_UID = 2 ** 32;
const BUSY = 'busy';

/** Places calls: at most one unfinished call per user, and one call per `request_id` (contract 3.1, 3.2, 3.4). */
@Injectable()
export class CallCreation {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly users: UsersService,
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly announcements: CallAnnouncements,
  ) {}

  /**
   * The new call, or the one that this `request_id` made before, as it is now.
   * @throws {BusinessError} REQUEST_ID_REUSED, USER_NOT_FOUND, CALLEE_UNREACHABLE, CALLER_BUSY (nothing is recorded),
   * CALLEE_BUSY (the attempt is in both histories)
   */
  async create(callerId: number, request: CreateCallDto, now: Date): Promise<CallEntity> {
    for (;;) {
      // Look, then insert: when a unique key says that somebody was faster, look again and find what they made.
      const { call, earlier, overdue } = await this.transactions.run(
        (em) => this.#findOrOpen(em, callerId, request, now),
        { retryWhenTaken: true },
      );
      if (call && isBusyAttempt(call)) throw new BusinessError('CALLEE_BUSY');
      if (call) return call;
      if (earlier) return this.transitions.find(earlier.id);
      for (const { id } of overdue ?? []) await this.transitions.find(id);
    }
  }

  async #findOrOpen(
    em: EntityManager,
    callerId: number,
    request: CreateCallDto,
    now: Date,
  ): Promise<{ call?: CallEntity; earlier?: CallEntity; overdue?: CallEntity[] }> {
    const calleeId = request.callee_id;
    // The seats before the request_id: a seat that this very request took at the same time is then known for its own.
    const taken = await findRows(em, CallSeatEntity, { user_id: [callerId, calleeId] });
    const earlier = await this.#findByRequestId(em, callerId, request);
    if (earlier) return isBusyAttempt(earlier) ? { call: earlier } : { earlier };
    const overdue = await this.#overdueAmong(em, taken, now);
    if (overdue.length > 0) return { overdue };

    const known = await this.users.findByIds([callerId, calleeId], em);
    const callee = known.get(calleeId);
    if (!callee) throw new BusinessError('USER_NOT_FOUND');
    if (calleeId === callerId || !callee.enabled) throw new BusinessError('CALLEE_UNREACHABLE');

    if (taken.some(({ user_id }) => user_id === callerId)) throw new BusinessError('CALLER_BUSY');
    const call = this.#newCall(callerId, request, now);
    const made =
      taken.length > 0 ? await this.#insertBusy(em, call, now) : await this.#insertRinging(em, call);
    await this.announcements.announce(em, null, made, { known });
    return { call: made };
  }

  /** Calls that should have ended by now stand in nobody's way. */
  async #overdueAmong(em: EntityManager, seats: CallSeatEntity[], now: Date): Promise<CallEntity[]> {
    if (seats.length === 0) return [];
    const calls = await findRows(em, CallEntity, { id: seats.map(({ call_id }) => call_id) });
    return calls.filter((call) => isOverdue(call, now));
  }

  async #findByRequestId(
    em: EntityManager,
    callerId: number,
    request: CreateCallDto,
  ): Promise<CallEntity | undefined> {
    if (request.request_id === undefined) return undefined;
    const sent = { caller_id: callerId, request_id: request.request_id };
    const [call] = await findRows(em, CallEntity, sent);
    const isOther = call && (call.callee_id !== request.callee_id || call.media_type !== request.media_type);
    if (isOther) throw new BusinessError('REQUEST_ID_REUSED');
    return call;
  }

  #newCall(callerId: number, request: CreateCallDto, now: Date): Omit<CallEntity, 'id'> {
    const callerUid = randomInt(1, MAX_UID);
    const ringExpiresAt = plusSeconds(now, this.config.calls.ringTimeoutSeconds);
    return {
      caller_id: callerId,
      callee_id: request.callee_id,
      request_id: request.request_id ?? null,
      media_type: request.media_type,
      status: 'ringing',
      end_reason: null,
      ended_by: null,
      version: 1,
      channel_name: `call-${randomUUID()}`,
      caller_uid: callerUid,
      callee_uid: otherUid(callerUid),
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
    const seats = userIds.map((user_id) => ({ user_id, call_id: inserted.id }));
    await insertRows(em, CallSeatEntity, seats);
    return inserted;
  }

  async #insert(em: EntityManager, call: Omit<CallEntity, 'id'>): Promise<CallEntity> {
    const call_id = await insertRows(em, CallEntity, [call]);
    const { caller_id, callee_id, media_type } = call;
    await insertRows(em, CallHistoryEntity, [
      { user_id: caller_id, call_id, peer_id: callee_id, direction: 'outgoing', media_type, missed: false },
      {
        user_id: callee_id,
        call_id,
        peer_id: caller_id,
        direction: 'incoming',
        media_type,
        missed: isMissed(call),
      },
    ]);
    return { ...call, id: call_id };
  }
}

const isBusyAttempt = ({ end_reason, ended_by }: CallEntity): boolean =>
  end_reason === BUSY && ended_by === null;

function otherUid(uid: number): number {
  const other = randomInt(1, MAX_UID - 1);
  return other >= uid ? other + 1 : other;
}
