import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { boundedRangeOf } from '../../common/day-range';
import { invalidField } from '../../common/errors/business-error';
import { keysetPage, type ListName, readCursor } from '../../common/http/keyset';
import { INVALID } from '../../common/input/fields';
import { CONFIG, type Config } from '../../config/config';
import { UsersService } from '../../identity/users.service';
import { CallDeadlines } from '../call-deadlines';
import { type AdminCallFields, toAdminCallResponse } from '../dto/admin-call.dto';
import type { AdminCallsResponse, ListAllCallsQuery, SearchCallsQuery } from '../dto/search-calls.dto';
import type { CallEntity } from '../entities/call.entity';
import { type CallFilter, type CallPlace, newestCalls, placeOf } from '../store/call-search';

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
    const filter = this.#filterOf(wanted);
    const { user_id, status, end_reason, media_type, from, to } = wanted;
    const list: ListName = ['calls', user_id, status, end_reason, media_type, from, to];
    const after = await this.#placeAfter(readCursor(list, cursor));
    await this.deadlines.endSomeDue();
    const found = await newestCalls(this.dataSource.manager, filter, after, limit + 1);
    const records = await this.#toRecords(found);
    return keysetPage(
      list,
      { found: records.map((record) => ({ id: record.call_id, record })), limit },
      ({ record }) => record,
    );
  }

  /** @throws {BusinessError} VALIDATION `to 取值无效` */
  #filterOf({ user_id, status, end_reason, media_type, ...range }: SearchCallsQuery): CallFilter {
    const { from, before } = boundedRangeOf(range, this.config.timezone, this.clock.now());
    return { user_id, status, end_reason, media_type, from, before };
  }

  async #placeAfter(id: number | undefined): Promise<CallPlace | undefined> {
    if (id === undefined) return undefined;
    const place = await placeOf(this.dataSource.manager, id);
    if (place === undefined) throw invalidField('cursor', INVALID);
    return place;
  }

  async #toRecords(calls: readonly CallEntity[]): Promise<AdminCallFields[]> {
    const userIds = new Set(calls.flatMap(({ caller_id, callee_id }) => [caller_id, callee_id]));
    const users = await this.users.findByIds([...userIds]);
    return calls.map((call) => toAdminCallResponse(call, users));
  }
}
