import { CALL_STATUSES, type CallStatus } from '../rules/call-state.rules';
import { domainEventTypeFor } from './call-domain-events';

describe('The acts of a call', () => {
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
  ])('from %s to %s: %s', (before, after, act) => {
    expect(domainEventTypeFor(before, after)).toBe(act);
  });

  it('are none of a change that leaves the status', () => {
    expect(
      CALL_STATUSES.map((status) => domainEventTypeFor(status, status)).filter((act) => act !== undefined),
    ).toEqual([]);
  });
});
