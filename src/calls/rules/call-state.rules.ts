import type { ErrorKey } from '../../common/errors/error-catalogue';

/*
 * The state machine of a call as a table (API 5.5). Pure: no database, no clock, no framework.
 */

export const CALL_STATUSES = ['ringing', 'accepted', 'ongoing', 'rejected', 'cancelled', 'ended'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/**
 * The events of the state machine. The media provider reports `leave`, if a participant has left permanently, and
 * `lose`, if the participant may come back (API 6.3). The service sends `end` when the deadline has passed, an
 * administrator ends the call, or a participant is disabled.
 */
export const CALL_EVENTS = [
  'accept',
  'reject',
  'cancel',
  'hangup',
  'join',
  'report',
  'renew',
  'signal',
  'leave',
  'lose',
  'end',
] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

/** The role of the sender of an event in the call. `stranger`: not a participant; `service`: this service. */
export const CALL_ACTORS = ['caller', 'callee', 'stranger', 'service'] as const;
export type CallActor = (typeof CALL_ACTORS)[number];

/** The result of an event: a move to a status (possibly the same one), success without a change, or an error. */
export type TransitionOutcome = { move: CallStatus } | 'keep' | { refuse: ErrorKey };

/** `own`: the outcome for the user's terminal that is in the call; for other terminals it is ANSWERED_ELSEWHERE. */
type Cell =
  | TransitionOutcome
  | { own: TransitionOutcome }
  | { caller: TransitionOutcome; callee: TransitionOutcome };

const move = (to: CallStatus): TransitionOutcome => ({ move: to });
const refuse = (error: ErrorKey): TransitionOutcome => ({ refuse: error });

const ofOwnTerminal = (own: TransitionOutcome): Cell => ({ own });

const FINISHED = refuse('CALL_FINISHED');
const ANSWERED = refuse('CALL_ANSWERED');
const NOT_ANSWERED = refuse('CALL_NOT_ANSWERED');

const TRANSITIONS: Record<CallEvent, Record<CallStatus, Cell>> = {
  accept: {
    ringing: move('accepted'),
    // The terminal that answered may repeat its request.
    accepted: ofOwnTerminal('keep'),
    ongoing: ofOwnTerminal('keep'),
    rejected: FINISHED,
    cancelled: FINISHED,
    ended: FINISHED,
  },
  reject: {
    ringing: move('rejected'),
    accepted: ANSWERED,
    ongoing: ANSWERED,
    rejected: 'keep',
    cancelled: FINISHED,
    ended: FINISHED,
  },
  cancel: {
    ringing: move('cancelled'),
    accepted: ANSWERED,
    ongoing: ANSWERED,
    rejected: FINISHED,
    cancelled: 'keep',
    ended: FINISHED,
  },
  hangup: {
    ringing: NOT_ANSWERED,
    accepted: move('ended'),
    ongoing: move('ended'),
    rejected: FINISHED,
    cancelled: FINISHED,
    ended: 'keep',
  },
  join: {
    ringing: move('ringing'),
    accepted: move('ongoing'),
    ongoing: move('ongoing'),
    rejected: 'keep',
    cancelled: 'keep',
    ended: 'keep',
  },
  report: {
    ringing: move('ringing'),
    accepted: move('accepted'),
    ongoing: move('ongoing'),
    rejected: 'keep',
    cancelled: 'keep',
    ended: 'keep',
  },
  renew: {
    ringing: { caller: 'keep', callee: NOT_ANSWERED },
    accepted: 'keep',
    ongoing: 'keep',
    rejected: FINISHED,
    cancelled: FINISHED,
    ended: FINISHED,
  },
  signal: {
    ringing: ofOwnTerminal(NOT_ANSWERED),
    accepted: ofOwnTerminal('keep'),
    ongoing: ofOwnTerminal('keep'),
    rejected: FINISHED,
    cancelled: FINISHED,
    ended: FINISHED,
  },
  leave: {
    ringing: { caller: move('cancelled'), callee: 'keep' },
    accepted: move('ended'),
    ongoing: move('ended'),
    rejected: 'keep',
    cancelled: 'keep',
    ended: 'keep',
  },
  lose: {
    ringing: 'keep',
    accepted: move('accepted'),
    ongoing: move('ongoing'),
    rejected: 'keep',
    cancelled: 'keep',
    ended: 'keep',
  },
  end: {
    ringing: move('ended'),
    accepted: move('ended'),
    ongoing: move('ended'),
    rejected: 'keep',
    cancelled: 'keep',
    ended: 'keep',
  },
};

/** The actors that may send an event, and the error for the other actors. */
const SENDERS: Record<CallEvent, { actors: CallActor[]; otherwise: ErrorKey }> = {
  accept: { actors: ['callee'], otherwise: 'NOT_CALLEE' },
  reject: { actors: ['callee'], otherwise: 'NOT_CALLEE' },
  cancel: { actors: ['caller'], otherwise: 'NOT_CALLER' },
  hangup: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  join: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  report: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  renew: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  signal: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  leave: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  lose: { actors: ['caller', 'callee'], otherwise: 'NOT_PARTICIPANT' },
  end: { actors: ['service'], otherwise: 'NOT_PARTICIPANT' },
};

/**
 * Returns the outcome of an event. Whether the actor may send it is checked before the status.
 * @param isOwnTerminal whether the event comes from the actor's terminal that is in the call, the one that placed or
 *   answered it; only `accept` and `signal` depend on it
 */
export function decide(
  status: CallStatus,
  event: CallEvent,
  actor: CallActor,
  isOwnTerminal = false,
): TransitionOutcome {
  const { actors, otherwise } = SENDERS[event];
  if (!actors.includes(actor)) return refuse(otherwise);
  const cell = TRANSITIONS[event][status];
  if (typeof cell !== 'object') return cell;
  if ('own' in cell) return isOwnTerminal ? cell.own : refuse('ANSWERED_ELSEWHERE');
  if ('caller' in cell) return actor === 'callee' ? cell.callee : cell.caller;
  return cell;
}

/** Whether a call with this status has finished. A finished call never changes again. */
export const isFinished = (status: CallStatus): boolean =>
  status === 'rejected' || status === 'cancelled' || status === 'ended';

/** The participants of a call and their terminals in it. */
interface Terminals {
  caller_id: number;
  caller_terminal_id: string | null;
  answered_terminal_id: string | null;
}

/** Whether the participant's terminal is the one that placed or answered the call; true if that one is not known. */
export function isInCall(call: Terminals, userId: number, terminalId: string): boolean {
  const activeTerminalId = terminalOf(call, userId);
  return activeTerminalId === null || activeTerminalId === terminalId;
}

/** Returns the participant's terminal that placed or answered the call. Null: not answered yet, or not recorded. */
export const terminalOf = (call: Terminals, userId: number): string | null =>
  userId === call.caller_id ? call.caller_terminal_id : call.answered_terminal_id;
