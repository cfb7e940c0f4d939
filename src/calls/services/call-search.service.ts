import { Inject, Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { boundedRangeOf } from '../../common/day-range';
import { type ListName, momentPage, type MomentPosition, readMomentCursor } from '../../common/http/keyset';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { CallDeadlines } from './call-deadlines.job';
import { type AdminCallFields, toAdminCallResponse } from '../dto/call-record.dto';
import type { AdminCallsResponse, ListAllCallsQuery, SearchCallsQuery } from '../dto/search-calls.dto';
import type { CallEntity } from '../entities/call.entity';
import { type CallFilter, newestCalls } from '../store/call-search.store';

/** Calls per page of an export, and so in memory at a time. */
const EXPORT_PAGE_SIZE = 500;
/** Exports omit newer calls: since `created_at` precedes the commit, older ones among them may still be uncommitted. */
const SETTLING_SECONDS = 15;

/** Lists and exports the calls of all users for administrators (API 15.2). */
@Injectable()
export class CallSearchService {
  constructor(
    private readonly transactions: Transactions,
    private readonly deadlines: CallDeadlines,
    private readonly users: UsersService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns a page of the matching calls, newest first.
   * @throws {BusinessError} VALIDATION `to 取值无效`, `cursor 取值无效`
   */
  async list({ limit, cursor, ...filters }: ListAllCallsQuery): Promise<AdminCallsResponse> {
    const { user_id, status, end_reason, media_type, from, to } = filters;
    const list: ListName = ['calls', user_id, status, end_reason, media_type, from, to];
    const filter = this.#toFilter(filters);
    const after = readMomentCursor(list, cursor);
    await this.deadlines.endSomeDue();
    const found = await newestCalls(this.transactions.read(), filter, after, limit + 1);
    const toRecord = await this.#loadRecordMapper(found);
    return momentPage(list, { found, limit }, positionOf, toRecord);
  }

  /**
   * Yields all matching calls, newest first, in pages. Calls of the last 15 s are omitted, because some of them may not
   * be committed yet; the next export contains them.
   * @throws {BusinessError} VALIDATION `to 取值无效`
   */
  export(filters: SearchCallsQuery): AsyncGenerator<AdminCallFields[], void> {
    const { before, ...filter } = this.#toFilter(filters);
    const settled = plusSeconds(this.clock.now(), 0.001 - SETTLING_SECONDS);
    return this.#pages({ ...filter, before: before && before < settled ? before : settled });
  }

  async *#pages(filter: CallFilter): AsyncGenerator<AdminCallFields[], void> {
    await this.deadlines.endSomeDue();
    for (let after: MomentPosition | undefined; ;) {
      const found = await newestCalls(this.transactions.read(), filter, after, EXPORT_PAGE_SIZE);
      yield found.map(await this.#loadRecordMapper(found));
      const last = found.at(-1);
      if (last === undefined || found.length < EXPORT_PAGE_SIZE) return;
      after = positionOf(last);
    }
  }

  /** @throws {BusinessError} VALIDATION `to 取值无效` */
  #toFilter({ user_id, status, end_reason, media_type, ...range }: SearchCallsQuery): CallFilter {
    const bounds = boundedRangeOf(range, this.config.timezone, this.clock.now());
    return { user_id, status, end_reason, media_type, ...bounds };
  }

  async #loadRecordMapper(calls: readonly CallEntity[]): Promise<(call: CallEntity) => AdminCallFields> {
    const users = await this.users.findByIds(
      calls.flatMap(({ caller_id, callee_id }) => [caller_id, callee_id]),
    );
    return (call) => toAdminCallResponse(call, users);
  }
}

const positionOf = ({ created_at, id }: CallEntity): MomentPosition => ({ at: created_at, id });
