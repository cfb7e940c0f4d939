import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type User, UsersService } from '../identity/users.service';
import { CallNoticesService } from '../messaging/services/notices/call-notices.service';
import { eventsFor } from './call-events';
import { type CallStatus, isFinished } from './call-state';
import type { CallEntity } from './entities/call.entity';
import { CallLog } from './events/call-log';
import { MissedCalls } from './missed-calls';
import { finishedCallOf } from './rules/call-outcome';

/** Tells of a call whom it concerns: its users, back ends, its chat and who missed it, in the transaction that changed it. */
@Injectable()
export class CallAnnouncements {
  constructor(
    private readonly log: CallLog,
    private readonly missedCalls: MissedCalls,
    private readonly users: UsersService,
    private readonly notices: CallNoticesService,
  ) {}

  /** The participants of a call. Asked before the transaction, for then it shares a query with others. */
  participantsOf({ caller_id, callee_id }: CallEntity): Promise<Map<number, User>> {
    return this.users.findByIds([caller_id, callee_id]);
  }

  /**
   * `before`: the status that the call comes from, null for a new one. `terminalId`: the terminal that acted. `known`:
   * the participants, where they have been looked up already.
   */
  async announce(
    em: EntityManager,
    before: CallStatus | null,
    call: CallEntity,
    { terminalId = '', known }: { terminalId?: string; known?: Map<number, User> } = {},
  ): Promise<void> {
    const events = eventsFor(before, call, terminalId);
    if (events.length === 0) return;
    const users = known ?? (await this.users.findByIds([call.caller_id, call.callee_id], em));
    // The chat is locked before the inbox of who missed the call.
    if (isFinished(call.status)) await this.notices.write(em, finishedCallOf(call));
    this.log.tellUsers(em, call, users, events);
    this.log.tellBackEnds(em, before, call, users);
    if (events.some(({ type }) => type === 'call.missed')) await this.missedCalls.announce(em, call);
  }
}
