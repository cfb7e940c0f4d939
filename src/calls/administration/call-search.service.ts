import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { boundedRangeOf } from '../../common/day-range';
import { type ListName, momentPage, type MomentPosition, readMomentCursor } from '../../common/http/keyset';
import { CONFIG, type Config } from '../../config/config';
import { UsersService } from '../../identity/users.service';
import { CallDeadlines } from '../call-deadlines';
import { type AdminCallFields, toAdminCallResponse } from '../dto/admin-call.dto';
import type { AdminCallsResponse, ListAllCallsQuery, SearchCallsQuery } from '../dto/search-calls.dto';
import type { CallEntity } from '../entities/call.entity';
import { type CallFilter, newestCalls } from '../store/call-search';

/** Calls of an export that are in memory at a time. */
const PAGE = 500;
/** A call is dated before it is committed: what an export leaves out so that none is missed, the next one has. */
const SETTLING_SECONDS = 15;

/** Finds calls for administrators, among all that there are (contract 14.2). */
@Injectable()
export class CallSearchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly deadlines: CallDeadlines,
    private readonly users: UsersService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A page of the calls that are wanted, newest first.
   * @throws {BusinessError} VALIDATION `to 取值无效`, `cursor 取值无效`
   */
  async list({ limit, cursor, ...wanted }: ListAllCallsQuery): Promise<AdminCallsResponse> {
    const { user_id, status, end_reason, media_type, from, to } = wanted;
    const list: ListName = ['calls', user_id, status, end_reason, media_type, from, to];
    const filter = this.#filterOf(wanted);
    const after = readMomentCursor(list, cursor);
    await this.deadlines.endSomeDue();
    const found = await newestCalls(this.dataSource.manager, filter, after, limit + 1);
    const recordOf = await this.#recordsOf(found);
    return momentPage(list, { found, limit }, positionOf, recordOf);
  }

  /**
   * All the calls that are wanted, newest first, page after page; but for those of the last 15 s, which may not all be there
   * yet.
   * @throws {BusinessError} VALIDATION `to 取值无效`
   */
  export(wanted: SearchCallsQuery): AsyncGenerator<AdminCallFields[], void> {
    const { before, ...filter } = this.#filterOf(wanted);
    const settled = plusSeconds(this.clock.now(), 0.001 - SETTLING_SECONDS);
    return this.#pages({ ...filter, before: before && before < settled ? before : settled });
  }

  async *#pages(filter: CallFilter): AsyncGenerator<AdminCallFields[], void> {
    await this.deadlines.endSomeDue();
    for (let after: MomentPosition | undefined; ;) {
      const found = await newestCalls(this.dataSource.manager, filter, after, PAGE);
      yield found.map(await this.#recordsOf(found));
      const last = found.at(-1);
      if (last === undefined || found.length < PAGE) return;
      after = positionOf(last);
    }
  }

  /** @throws {BusinessError} VALIDATION `to 取值无效` */
  #filterOf({ user_id, status, end_reason, media_type, ...range }: SearchCallsQuery): CallFilter {
    const stretch = boundedRangeOf(range, this.config.timezone, this.clock.now());
    return { user_id, status, end_reason, media_type, ...stretch };
  }

  async #recordsOf(calls: readonly CallEntity[]): Promise<(call: CallEntity) => AdminCallFields> {
    const users = await this.users.findByIds(
      calls.flatMap(({ caller_id, callee_id }) => [caller_id, callee_id]),
    );
    return (call) => toAdminCallResponse(call, users);
  }
}

const positionOf = ({ created_at, id }: CallEntity): MomentPosition => ({ at: created_at, id });
