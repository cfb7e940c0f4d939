import { presenceOf } from './presence-state.rules';

const NOW = 1_000_000;
const ago = (seconds: number): number => NOW - seconds * 1_000;

describe('presenceOf', () => {
  it.each([
    ['the user was never online', [], null, { online: false, lastSeenAt: null }],
    ['the user was online before', [], ago(60), { online: false, lastSeenAt: ago(60) }],
    ['a stream is open', [{ until: null, renewedAt: ago(4) }], ago(60), { online: true, lastSeenAt: null }],
    [
      'the instance is late to renew its row',
      [{ until: null, renewedAt: ago(19.9) }],
      null,
      { online: true, lastSeenAt: null },
    ],
    [
      'the instance is dead',
      [{ until: null, renewedAt: ago(20) }],
      ago(60),
      { online: false, lastSeenAt: ago(20) },
    ],
    [
      'the instance has no row',
      [{ until: null, renewedAt: null }],
      ago(60),
      { online: false, lastSeenAt: ago(60) },
    ],
    [
      'the last stream has just closed',
      [{ until: ago(9.9), renewedAt: ago(1) }],
      ago(9.9),
      { online: true, lastSeenAt: null, endsAt: ago(-0.1) },
    ],
    [
      'the grace period is over',
      [{ until: ago(10), renewedAt: ago(1) }],
      ago(60),
      { online: false, lastSeenAt: ago(10) },
    ],
    [
      'one instance is dead and a stream is open on another',
      [
        { until: null, renewedAt: ago(30) },
        { until: null, renewedAt: ago(1) },
      ],
      null,
      { online: true, lastSeenAt: null },
    ],
    [
      'the streams on one instance closed, and another instance is dead',
      [
        { until: ago(40), renewedAt: ago(1) },
        { until: null, renewedAt: ago(30) },
      ],
      ago(40),
      { online: false, lastSeenAt: ago(30) },
    ],
    [
      'the streams closed before their instance died',
      [{ until: ago(12), renewedAt: ago(25) }],
      null,
      { online: false, lastSeenAt: ago(12) },
    ],
  ])('returns the presence when %s', (_, spans, lastSeenAt, presence) => {
    expect(presenceOf(spans, lastSeenAt, NOW)).toEqual(presence);
  });
});
