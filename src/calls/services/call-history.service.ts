import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock';
import type { CallId, UserId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { ContactGraph } from '../../people/contact-graph';
import { type CallListFilter, callersOf, readListPage } from '../store/call-lists.store';
import { activeParticipants, callsByIds } from '../store/calls.store';
import { isFinished } from '../rules/call-state.rules';
import { callActorOf, CallTransitions } from './call-transitions';
import { type CallResponse, type ListCallsQuery, toCallResponse } from '../dto/call-record.dto';
import type { CallEntity } from '../entities/call.entity';

/** Reads calls from their participants' points of view (API 5.1, 5.6). */
@Injectable()
export class CallHistoryService implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly transitions: CallTransitions,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly contactGraph: ContactGraph,
  ) {}

  onModuleInit(): void {
    this.contactGraph.registerCalls({
      callersOf: (userId, ids) => callersOf(this.transactions.read(), userId, ids),
    });
  }

  /** @throws {BusinessError} CALL_NOT_FOUND, also if the user is not a participant */
  async find(userId: UserId, callId: CallId): Promise<CallResponse> {
    const call = await this.transitions.expireIfDue(callId);
    if (callActorOf(call, userId) === 'stranger') throw new BusinessError('CALL_NOT_FOUND');
    return toCallResponse(call, await this.#loadViewpoint(userId, [call]));
  }

  /** Returns the user's unfinished call, or null. */
  async findActive(userId: UserId): Promise<CallResponse | null> {
    const [active] = await activeParticipants(this.transactions.read(), [userId]);
    if (active === undefined) return null;
    const call = await this.transitions.expireIfDue(active.call_id);
    return isFinished(call.status) ? null : toCallResponse(call, await this.#loadViewpoint(userId, [call]));
  }

  /** Lists the user's calls, newest first. */
  async list(userId: UserId, query: ListCallsQuery): Promise<ItemsPage<CallResponse>> {
    await this.transitions.expireDueOf([userId]);
    const filter = filterOf(query);
    if (filter === undefined) return new ItemsPage([], 0, query);
    const window = { skip: offsetOf(query), take: query.per_page };
    const { callIds, total } = await readListPage(this.transactions.read(), userId, filter, window);
    const calls = await callsByIds(this.transactions.read(), callIds);
    const viewpoint = await this.#loadViewpoint(userId, calls);
    const items = calls.toSorted((a, b) => b.id - a.id).map((call) => toCallResponse(call, viewpoint));
    return new ItemsPage(items, total, query);
  }

  /** Loads the users of these calls, and reads the clock, for the user's view of them. */
  async #loadViewpoint(userId: UserId, calls: CallEntity[]) {
    const users = await this.users.findByIds(
      calls.flatMap(({ caller_id, callee_id }) => [caller_id, callee_id]),
    );
    return { userId, users, now: this.clock.now() };
  }
}

/** Returns the list that a query selects; undefined for missed outgoing calls, which do not exist. */
function filterOf({ direction, missed, media_type, peer_id }: ListCallsQuery): CallListFilter | undefined {
  if (missed === undefined) return { kind: direction, media_type, peer_id };
  return direction === 'outgoing' ? undefined : { kind: 'missed', media_type, peer_id };
}
