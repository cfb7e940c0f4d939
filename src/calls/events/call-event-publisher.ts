import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type User, UsersService } from '../../identity/users.service';
import { CallNoticesService } from '../../messaging/services/call-notices.service';
import { eventsFor } from './call-events';
import { type CallStatus, isFinished } from '../rules/call-state.rules';
import type { CallEntity } from '../entities/call.entity';
import { CallEventWriter } from './call-event-writer';
import { MissedCallNotifier } from './missed-call-notifier';
import { finishedCallOf } from '../rules/call-outcome.rules';

/**
 * Publishes a change of a call in the transaction that makes it: user events, the domain event, the notice in the chat,
 * and the callee's notification of a missed call.
 */
@Injectable()
export class CallEventPublisher {
  constructor(
    private readonly eventWriter: CallEventWriter,
    private readonly missedCalls: MissedCallNotifier,
    private readonly users: UsersService,
    private readonly notices: CallNoticesService,
  ) {}

  /** Returns both participants by id. To be called before the transaction: only then is the query batched. */
  participantsOf({ caller_id, callee_id }: CallEntity): Promise<Map<number, User>> {
    return this.users.findByIds([caller_id, callee_id]);
  }

  /**
   * Publishes the change of `call` from the status `before` (null: a new call) to its current status. `terminalId` is
   * the terminal that acted; `participants` are both users, if they are loaded already.
   */
  async publish(
    em: EntityManager,
    before: CallStatus | null,
    call: CallEntity,
    { terminalId = '', participants }: { terminalId?: string; participants?: Map<number, User> } = {},
  ): Promise<void> {
    const events = eventsFor(before, call, terminalId);
    if (events.length === 0) return;
    const users = participants ?? (await this.users.findByIds([call.caller_id, call.callee_id], em));
    // Lock order: the chat (notices), then the inbox of the callee (missedCalls).
    if (isFinished(call.status)) await this.notices.write(em, finishedCallOf(call));
    this.eventWriter.publishUserEvents(em, call, users, events);
    this.eventWriter.recordDomainEvent(em, before, call, users);
    if (events.some(({ type }) => type === 'call.missed')) await this.missedCalls.notify(em, call);
  }
}
