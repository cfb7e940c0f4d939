import { presenceOf } from './presence-state';

const NOW = 1_000_000;
const ago = (seconds: number): number => NOW - seconds * 1_000;

describe('Whether somebody is there', () => {
  it.each([
    ['nobody has ever heard of them', [], null, { online: false, lastSeenAt: null }],
    ['they were there once', [], ago(60), { online: false, lastSeenAt: ago(60) }],
    ['a stream is open', [{ until: null, renewedAt: ago(4) }], ago(60), { online: true, lastSeenAt: null }],
    [
      'the instance is late',
      [{ until: null, renewedAt: ago(19.9) }],
      null,
      { online: true, lastSeenAt: null },
    ],
    [
      'the instance is gone',
      [{ until: null, renewedAt: ago(20) }],
      ago(60),
      { online: false, lastSeenAt: ago(20) },
    ],
    [
      'nobody knows the instance',
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
      'the grace is over',
      [{ until: ago(10), renewedAt: ago(1) }],
      ago(60),
      { online: false, lastSeenAt: ago(10) },
    ],
    [
      'one instance is gone and another open',
      [
        { until: null, renewedAt: ago(30) },
        { until: null, renewedAt: ago(1) },
      ],
      null,
      { online: true, lastSeenAt: null },
    ],
    [
      'they left one instance, and another is gone',
      [
        { until: ago(40), renewedAt: ago(1) },
        { until: null, renewedAt: ago(30) },
      ],
      ago(40),
      { online: false, lastSeenAt: ago(30) },
    ],
    [
      'they left the instance that has gone since',
      [{ until: ago(12), renewedAt: ago(25) }],
      null,
      { online: false, lastSeenAt: ago(12) },
    ],
  ])('when %s', (_, spans, lastSeenAt, presence) => {
    expect(presenceOf(spans, lastSeenAt, NOW)).toEqual(presence);
  });
});
