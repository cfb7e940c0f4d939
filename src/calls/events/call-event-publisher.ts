import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { type User, UsersService } from '../../identity/users.service';
import { CallNoticesService } from '../../messaging/services/call-notices.service';
import { DomainEvents } from '../../outbox/domain-events';
import { toAdminCallResponse, toCallResponse } from '../dto/call-record.dto';
import type { CallEntity } from '../entities/call.entity';
import { finishedCallOf } from '../rules/call-outcome.rules';
import { type CallStatus, isFinished } from '../rules/call-state.rules';
import { domainEventTypeFor, eventsFor } from './call-events';
import { MissedCallNotifier } from './missed-call-notifier';

/** A change of a call that is published. */
interface PublishOptions {
  now: Date;
  /** The terminal that acted. */
  terminalId?: string;
  /** Both users, if they are loaded already. */
  participants?: Map<number, User>;
}

/**
 * Publishes a change of a call in the transaction that makes it: user events, the domain event, the notice in the chat,
 * and the callee's notification of a missed call.
 */
@Injectable()
export class CallEventPublisher {
  constructor(
    private readonly events: EventsService,
    private readonly domainEvents: DomainEvents,
    private readonly missedCalls: MissedCallNotifier,
    private readonly users: UsersService,
    private readonly notices: CallNoticesService,
  ) {}

  /** Returns both participants by id. To be called before the transaction: only then is the query batched. */
  participantsOf({ caller_id, callee_id }: CallEntity): Promise<Map<number, User>> {
    return this.users.findByIds([caller_id, callee_id]);
  }

  /** Publishes the change of `call` from the status `before` (null: a new call) to its current status. */
  async publish(
    em: EntityManager,
    before: CallStatus | null,
    call: CallEntity,
    { now, terminalId = '', participants }: PublishOptions,
  ): Promise<void> {
    const users = participants ?? (await this.users.findByIds([call.caller_id, call.callee_id], em));
    // Lock order: the chat (notices), then the inbox of the callee (missedCalls).
    if (isFinished(call.status)) await this.notices.write(em, finishedCallOf(call));
    const events = eventsFor(before, call, terminalId);
    this.events.append(
      em,
      events.map((event) => {
        const { userId } = event;
        // Each recipient sees the call from their own point of view.
        const payload = { call: toCallResponse(call, { userId, users, now }) };
        return event.terminalId === undefined
          ? { userId, type: event.type, payload }
          : { userId, type: event.type, payload: { ...payload, terminal_id: event.terminalId } };
      }),
    );
    const type = domainEventTypeFor(before, call.status);
    if (type !== undefined)
      this.domainEvents.record(em, type, `call:${call.id}`, () => ({
        call: toAdminCallResponse(call, users),
      }));
    if (events.some((event) => event.type === 'call.missed')) await this.missedCalls.notify(em, call);
  }
}
