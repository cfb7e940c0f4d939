import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { ItemsPage, offsetOf } from '../common/http/page';
import { UsersService } from '../identity/users.service';
import { isFinished } from './call-state';
import { actorOf, CallTransitions } from './call-transitions';
import { type CallRecord, type ListCallsQuery, toCallRecord } from './dto/call-record.dto';
import { CallEntity } from './entities/call.entity';
import { CallHistoryEntity } from './entities/call-history.entity';
import { CallSeatEntity } from './entities/call-seat.entity';

/** Reads calls as their participants see them (contract 3.1, 3.3). */
@Injectable()
export class CallHistory {
  constructor(
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    @InjectRepository(CallHistoryEntity) private readonly history: Repository<CallHistoryEntity>,
    private readonly transitions: CallTransitions,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /** @throws {BusinessError} CALL_NOT_FOUND, for strangers as for an unknown id */
  async find(userId: number, callId: number): Promise<CallRecord> {
    const call = await this.transitions.find(callId);
    if (actorOf(call, userId) === 'stranger') throw new BusinessError('CALL_NOT_FOUND');
    return this.#toRecord(userId, call);
  }

  /** The user's unfinished call, or null. */
  async findActive(userId: number): Promise<CallRecord | null> {
    const seat = await this.calls.manager.findOneBy(CallSeatEntity, { user_id: userId });
    if (seat === null) return null;
    const call = await this.transitions.find(seat.call_id);
    return isFinished(call.status) ? null : this.#toRecord(userId, call);
  }

  /** The user's own calls, newest first. */
  async list(userId: number, query: ListCallsQuery): Promise<ItemsPage<CallRecord>> {
    await this.transitions.settle([userId]);
    const { direction, peer_id, media_type } = query;
    const where: FindOptionsWhere<CallHistoryEntity> = {
      user_id: userId,
      ...(direction && { direction }),
      ...(peer_id && { peer_id }),
      ...(media_type && { media_type }),
      ...(query.missed && { missed: true }),
    };
    const total = await this.history.countBy(where);
    const rows = await this.history.find({
      select: { user_id: true, call_id: true },
      where,
      order: { call_id: 'DESC' },
      skip: offsetOf(query),
      take: query.per_page,
    });
    return new ItemsPage(await this.#toRecords(userId, rows), total, query);
  }

  async #toRecords(userId: number, rows: Pick<CallHistoryEntity, 'call_id'>[]): Promise<CallRecord[]> {
    const ids = rows.map(({ call_id }) => call_id);
    const calls = ids.length === 0 ? [] : await this.calls.findBy({ id: In(ids) });
    const users = await this.users.findByIds(
      calls.flatMap(({ caller_id, callee_id }) => [caller_id, callee_id]),
    );
    const viewpoint = { userId, users, now: this.clock.now() };
    return calls.toSorted((a, b) => b.id - a.id).map((call) => toCallRecord(call, viewpoint));
  }

  async #toRecord(userId: number, call: CallEntity): Promise<CallRecord> {
    const users = await this.users.findByIds([call.caller_id, call.callee_id]);
    return toCallRecord(call, { userId, users, now: this.clock.now() });
  }
}
