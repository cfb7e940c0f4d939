import { type CountedCall, figuresOf, outcomeOf } from './call-figures.rules';

const BEGAN = Date.parse('2026-01-31T08:00:00.000Z');

/** A call that was not answered within its minute of ringing, with the given fields replaced. */
const call = (more: Partial<CountedCall> = {}): CountedCall => ({
  status: 'ended',
  endReason: 'no_answer',
  endedBy: null,
  createdAt: BEGAN,
  ringExpiresAt: BEGAN + 60_000,
  acceptedAt: null,
  endedAt: BEGAN + 60_000,
  ...more,
});

describe('outcomeOf', () => {
  it.each<[string, Partial<CountedCall>, string]>([
    ['rang until the timeout', {}, 'no_answer'],
    ['its callee declined', { status: 'rejected', endReason: 'user_reject', endedBy: 3 }, 'rejected'],
    ['its callee declined as busy', { status: 'rejected', endReason: 'busy', endedBy: 3 }, 'rejected'],
    ['its caller cancelled', { status: 'cancelled', endReason: 'caller_cancel', endedBy: 2 }, 'cancelled'],
    ['found its callee busy', { endReason: 'busy', ringExpiresAt: BEGAN, endedAt: BEGAN }, 'busy'],
    ['an administrator ended as it rang', { endReason: 'admin_end', endedAt: BEGAN + 5_000 }, 'cancelled'],
    ['an administrator ended, "busy"', { endReason: 'busy', endedAt: BEGAN + 5_000 }, 'cancelled'],
    ['an administrator ended, "no_answer"', { endReason: 'no_answer', endedAt: BEGAN + 5_000 }, 'cancelled'],
    ['was answered and hung up', { acceptedAt: BEGAN + 5_000, endReason: 'local_hangup' }, 'answered'],
    ['was answered and lost', { acceptedAt: BEGAN + 5_000, endReason: 'connection_lost' }, 'answered'],
    ['was answered, and ended as busy', { acceptedAt: BEGAN + 5_000, endReason: 'busy' }, 'answered'],
  ])('returns for a call that %s: %s', (_, more, outcome) => {
    expect(outcomeOf(call(more))).toBe(outcome);
  });
});

describe('figuresOf', () => {
  it('returns only the outcome of an unanswered call', () => {
    expect(figuresOf(call())).toEqual([['no_answer', 1]]);
  });

  it.each([
    [0, 0, 'to_10s'],
    [10_999, 10, 'to_10s'],
    [11_000, 11, 'to_1m'],
    [60_999, 60, 'to_1m'],
    [61_000, 61, 'to_5m'],
    [300_999, 300, 'to_5m'],
    [301_000, 301, 'to_30m'],
    [1_800_999, 1_800, 'to_30m'],
    [1_801_000, 1_801, 'more'],
    // The clocks of two instances may differ slightly.
    [-3, 0, 'to_10s'],
  ])('returns the ring time and the duration of an answered call: %i ms', (ms, seconds, length) => {
    const acceptedAt = BEGAN + 7_999;
    expect(figuresOf(call({ acceptedAt, endedAt: acceptedAt + ms }))).toEqual([
      ['answered', 1],
      ['ring_seconds', 7],
      ['talk_seconds', seconds],
      [length, 1],
    ]);
  });
});
