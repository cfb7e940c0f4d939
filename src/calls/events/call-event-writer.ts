import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { EventsService } from '../../events/events.service';
import type { UserSummary } from '../../identity/users.service';
import { DomainEvents } from '../../outbox/domain-events';
import type { CallUserEvent } from './call-events';
import type { CallStatus } from '../rules/call-state.rules';
import { toAdminCallResponse } from '../dto/admin-call.dto';
import { toCallResponse } from '../dto/call-record.dto';
import type { CallEntity } from '../entities/call.entity';
import { domainEventTypeFor } from './call-domain-events';

/** Writes the user events and the domain event of a change of a call, in the transaction that makes it. */
@Injectable()
export class CallEventWriter {
  constructor(
    private readonly events: EventsService,
    private readonly domainEvents: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** Appends user events with the current call, each from its recipient's point of view. */
  publishUserEvents(
    em: EntityManager,
    call: CallEntity,
    users: Map<number, UserSummary>,
    events: readonly CallUserEvent[],
  ): void {
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
  }

  /** Records the domain event, if any, of the change from `before` (null: a new call) to the current status. */
  recordDomainEvent(
    em: EntityManager,
    before: CallStatus | null,
    call: CallEntity,
    users: Map<number, UserSummary>,
  ): void {
    const type = domainEventTypeFor(before, call.status);
    if (type === undefined) return;
    this.domainEvents.record(em, type, `call:${call.id}`, () => ({ call: toAdminCallResponse(call, users) }));
  }
}
