import type { AdminCallFields } from '../dto/admin-call.dto';
import { type CallStatus, isFinished } from '../rules/call-state.rules';

interface CallDomainEvent {
  /** As administrators see it, from neither participant's point of view. */
  call: AdminCallFields;
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'call.created': CallDomainEvent;
    'call.answered': CallDomainEvent;
    'call.ended': CallDomainEvent;
  }
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
