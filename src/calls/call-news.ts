import type { CallStatus } from './call-state';
import { isMissed } from './dto/call-record.dto';
import type { CallEntity } from './entities/call.entity';

/** An event that a change of a call makes for one user (contract 7). */
export interface CallNews {
  userId: number;
  type: `call.${'ringing' | Exclude<CallStatus, 'ringing'> | 'updated' | 'answered_elsewhere' | 'declined_elsewhere' | 'missed'}`;
  /** The terminal that acted; undefined where the event names none. */
  terminalId?: string;
}

/** The callee's other terminals hear that they need not ring any longer. */
const ELSEWHERE = { accepted: 'call.answered_elsewhere', rejected: 'call.declined_elsewhere' } as const;

/**
 * Who hears what when a call has come from a status (null: it is new) to the one it has now. One act makes one event
 * of a type per user; a change that leaves the status as it is (media that start while it rings) is an update.
 */
export function newsOf(before: CallStatus | null, call: CallEntity, terminalId: string): CallNews[] {
  const { status, caller_id: caller, callee_id: callee } = call;
  if (status === before) return [caller, callee].map((userId) => ({ userId, type: 'call.updated' }));
  if (status === 'ringing') return [{ userId: callee, type: 'call.ringing' }];
  const terminal = status === 'accepted' || status === 'rejected' ? { terminalId } : {};
  const news: CallNews[] = [caller, callee].map((userId) => ({
    userId,
    type: `call.${status}`,
    ...terminal,
  }));
  if (status === 'accepted' || status === 'rejected') {
    news.push({ userId: callee, type: ELSEWHERE[status], terminalId });
  }
  if (isMissed(call)) news.push({ userId: callee, type: 'call.missed' });
  return news;
}
