import type { EventPayloads, EventType } from '../events/log/event-types';
import type { CallStatus } from './call-state';
import { isMissed } from './dto/call-record.dto';
import type { CallEntity } from './entities/call.entity';

/** Of changes; a signal changes nothing. */
type CallEventType = Exclude<Extract<EventType, `call.${string}`>, 'call.signal'>;
/** The types that name the terminal that acted. */
type ActType = {
  [Type in CallEventType]: EventPayloads[Type] extends { terminal_id: string } ? Type : never;
}[CallEventType];

/** An event that a change of a call makes for one user (contract 7). */
export type CallEventRecipient =
  | { userId: number; type: ActType; terminalId: string }
  | { userId: number; type: Exclude<CallEventType, ActType>; terminalId?: undefined };

/** The callee's other terminals hear that they need not ring any longer. */
const ELSEWHERE = { accepted: 'call.answered_elsewhere', rejected: 'call.declined_elsewhere' } as const;

/**
 * Who hears what when a call has come from a status (null: it is new) to the one it has now. One act makes one event
 * of a type per user; a change that leaves the status as it is (media that start while it rings) is an update.
 */
export function eventsFor(
  before: CallStatus | null,
  call: CallEntity,
  terminalId: string,
): CallEventRecipient[] {
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
