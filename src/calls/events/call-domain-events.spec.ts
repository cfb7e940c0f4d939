import { CALL_STATUSES, type CallStatus } from '../rules/call-state.rules';
import { domainEventTypeFor } from './call-domain-events';

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
