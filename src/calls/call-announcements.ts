import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { EventsService } from '../events/events.service';
import { type User, UsersService } from '../identity/users.service';
import { eventsFor } from './call-events';
import type { CallStatus } from './call-state';
import { toCallResponse } from './dto/call-record.dto';
import type { CallEntity } from './entities/call.entity';
import { MissedCalls } from './missed-calls';

/** Writes the events of a call, and tells who missed it, in the transaction that changed it. */
@Injectable()
export class CallAnnouncements {
  constructor(
    private readonly events: EventsService,
    private readonly missedCalls: MissedCalls,
    private readonly users: UsersService,
    private readonly clock: Clock,
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
    const now = this.clock.now();
    this.events.append(
      em,
      events.map((event) => {
        const { userId } = event;
        const payload = { call: toCallResponse(call, { userId, users, now }) };
        return event.terminalId === undefined
          ? { userId, type: event.type, payload }
          : { userId, type: event.type, payload: { ...payload, terminal_id: event.terminalId } };
      }),
    );
    if (events.some(({ type }) => type === 'call.missed')) await this.missedCalls.announce(em, call);
  }
}
