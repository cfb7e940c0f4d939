import { type CallUserEvent, domainEventTypeFor, eventsFor } from './call-events';
import { CALL_STATUSES, type CallStatus } from '../rules/call-state.rules';
import { CallEntity } from '../entities/call.entity';

const CALLER = 1;
const CALLEE = 2;

const aCall = (status: CallStatus, more: Partial<CallEntity> = {}): CallEntity =>
  Object.assign(new CallEntity(), {
    status,
    caller_id: CALLER,
    callee_id: CALLEE,
    accepted_at: null,
    ...more,
  });

/** An event as text: recipient, type, and terminal if it has one. */
const inShort = (events: CallUserEvent[]): string[] =>
  events.map(({ userId, type, terminalId }) =>
    [userId === CALLER ? 'caller' : 'callee', type, ...(terminalId === undefined ? [] : [terminalId])].join(
      ' ',
    ),
  );

const answered = { accepted_at: new Date(0) };

describe('eventsFor', () => {
  it.each<[string, CallStatus | null, CallEntity, string[]]>([
    ['a new call', null, aCall('ringing'), ['callee call.ringing']],
    ['a busy callee', null, aCall('ended'), ['caller call.ended', 'callee call.ended', 'callee call.missed']],
    [
      'an acceptance',
      'ringing',
      aCall('accepted', answered),
      ['caller call.accepted phone', 'callee call.accepted phone', 'callee call.answered_elsewhere phone'],
    ],
    [
      'a rejection',
      'ringing',
      aCall('rejected'),
      ['caller call.rejected phone', 'callee call.rejected phone', 'callee call.declined_elsewhere phone'],
    ],
    [
      'a cancellation',
      'ringing',
      aCall('cancelled'),
      ['caller call.cancelled', 'callee call.cancelled', 'callee call.missed'],
    ],
    [
      'a ring timeout',
      'ringing',
      aCall('ended'),
      ['caller call.ended', 'callee call.ended', 'callee call.missed'],
    ],
    [
      'the first media',
      'accepted',
      aCall('ongoing', answered),
      ['caller call.ongoing', 'callee call.ongoing'],
    ],
    ['the end', 'ongoing', aCall('ended', answered), ['caller call.ended', 'callee call.ended']],
    [
      'an end before the first media',
      'accepted',
      aCall('ended', answered),
      ['caller call.ended', 'callee call.ended'],
    ],
  ])('returns the events of %s', (_, before, call, expected) => {
    expect(inShort(eventsFor(before, call, 'phone'))).toEqual(expected);
  });

  it('returns call.updated when media start while the call rings', () => {
    const events = eventsFor('ringing', aCall('ringing', { started_at: new Date(0) }), 'phone');
    expect(inShort(events)).toEqual(['caller call.updated', 'callee call.updated']);
  });
});

describe('domainEventTypeFor', () => {
  it.each<[CallStatus | null, CallStatus, string | undefined]>([
    [null, 'ringing', 'call.created'],
    [null, 'ended', 'call.ended'],
    ['ringing', 'accepted', 'call.answered'],
    ['ringing', 'rejected', 'call.ended'],
    ['ringing', 'cancelled', 'call.ended'],
    ['ringing', 'ended', 'call.ended'],
    ['accepted', 'ongoing', undefined],
    ['accepted', 'ended', 'call.ended'],
    ['ongoing', 'ended', 'call.ended'],
  ])('returns for a change from %s to %s: %s', (before, after, type) => {
    expect(domainEventTypeFor(before, after)).toBe(type);
  });

  it('returns undefined when the status does not change', () => {
    expect(
      CALL_STATUSES.map((status) => domainEventTypeFor(status, status)).filter((type) => type !== undefined),
    ).toEqual([]);
  });
});
