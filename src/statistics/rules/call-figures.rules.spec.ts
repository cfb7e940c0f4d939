import { type CountedCall, figuresOf, outcomeOf } from './call-figures.rules';

const BEGAN = Date.parse('2026-01-31T08:00:00.000Z');

const timeAfter = (ms: number): Date => new Date(BEGAN + ms);

/** A call that was not answered within its minute of ringing, with the given fields replaced. */
const call = (more: Partial<CountedCall> = {}): CountedCall => ({
  media_type: 'audio',
  status: 'ended',
  end_reason: 'no_answer',
  ended_by: null,
  created_at: timeAfter(0),
  ring_expires_at: timeAfter(60_000),
  accepted_at: null,
  ended_at: timeAfter(60_000),
  ...more,
});

describe('outcomeOf', () => {
  it.each<[string, Partial<CountedCall>, string]>([
    ['rang until the timeout', {}, 'no_answer'],
    ['its callee declined', { status: 'rejected', end_reason: 'user_reject', ended_by: 3 }, 'rejected'],
    ['its callee declined as busy', { status: 'rejected', end_reason: 'busy', ended_by: 3 }, 'rejected'],
    ['its caller cancelled', { status: 'cancelled', end_reason: 'caller_cancel', ended_by: 2 }, 'cancelled'],
    [
      'found its callee busy',
      { end_reason: 'busy', ring_expires_at: timeAfter(0), ended_at: timeAfter(0) },
      'busy',
    ],
    [
      'an administrator ended as it rang',
      { end_reason: 'admin_end', ended_at: timeAfter(5_000) },
      'cancelled',
    ],
    ['an administrator ended, "busy"', { end_reason: 'busy', ended_at: timeAfter(5_000) }, 'cancelled'],
    [
      'an administrator ended, "no_answer"',
      { end_reason: 'no_answer', ended_at: timeAfter(5_000) },
      'cancelled',
    ],
    ['was answered and hung up', { accepted_at: timeAfter(5_000), end_reason: 'local_hangup' }, 'answered'],
    ['was answered and lost', { accepted_at: timeAfter(5_000), end_reason: 'connection_lost' }, 'answered'],
    ['was answered, and ended as busy', { accepted_at: timeAfter(5_000), end_reason: 'busy' }, 'answered'],
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
    const answered = { accepted_at: timeAfter(7_999), ended_at: timeAfter(7_999 + ms) };
    expect(figuresOf(call(answered))).toEqual([
      ['answered', 1],
      ['ring_seconds', 7],
      ['talk_seconds', seconds],
      [length, 1],
    ]);
  });
});
