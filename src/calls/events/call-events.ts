import type { EventPayloads, EventType } from '../../events/log/event-types';
import type { AdminCallFields } from '../dto/call-record.dto';
import { type CallStatus, isFinished } from '../rules/call-state.rules';
import { isMissed } from '../rules/call-outcome.rules';
import type { CallEntity } from '../entities/call.entity';

interface CallDomainEvent {
  /** The call in the form for administrators, which is independent of a side. */
  call: AdminCallFields;
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'call.created': CallDomainEvent;
    'call.answered': CallDomainEvent;
    'call.ended': CallDomainEvent;
  }
}

/** The types of events about changes of a call; a signal does not change it. */
type CallEventType = Exclude<Extract<EventType, `call.${string}`>, 'call.signal'>;
/** The types whose payload contains the terminal that acted. */
type TerminalEventType = {
  [Type in CallEventType]: EventPayloads[Type] extends { terminal_id: string } ? Type : never;
}[CallEventType];

/** An event for one user about a change of a call (API 13). */
export type CallUserEvent =
  | { userId: number; type: TerminalEventType; terminalId: string }
  | { userId: number; type: Exclude<CallEventType, TerminalEventType>; terminalId?: undefined };

/** Sent to the callee in addition, so that the callee's other terminals stop ringing. */
const ELSEWHERE = { accepted: 'call.answered_elsewhere', rejected: 'call.declined_elsewhere' } as const;

/**
 * Returns the events to publish when a call changes from the status `before` (null: a new call) to its current status:
 * at most one event of a type per user. A change that keeps the status (media start while the call rings) is
 * `call.updated`.
 */
export function eventsFor(before: CallStatus | null, call: CallEntity, terminalId: string): CallUserEvent[] {
  const { status, caller_id: caller, callee_id: callee } = call;
  if (status === before) return [caller, callee].map((userId) => ({ userId, type: 'call.updated' }));
  if (status === 'ringing') return [{ userId: callee, type: 'call.ringing' }];
  if (status === 'accepted' || status === 'rejected') {
    const type = `call.${status}` as const;
    return [
      ...[caller, callee].map((userId) => ({ userId, type, terminalId })),
      { userId: callee, type: ELSEWHERE[status], terminalId },
    ];
  }
  const events = [caller, callee].map((userId) => ({ userId, type: `call.${status}` as const }));
  return isMissed(call) ? [...events, { userId: callee, type: 'call.missed' }] : events;
}

/**
 * Returns the type of the domain event for a change from the status `before` (null: a new call) to `after`; undefined
 * if there is none. An attempt to reach a busy callee causes `call.ended` only (API 14.7).
 */
export function domainEventTypeFor(
  before: CallStatus | null,
  after: CallStatus,
): 'call.created' | 'call.answered' | 'call.ended' | undefined {
  if (after === before) return undefined;
  if (isFinished(after)) return 'call.ended';
  if (before === null) return 'call.created';
  return after === 'accepted' ? 'call.answered' : undefined;
}
