import { boundedRangeOf, timeRangeOf, type TimeRangeRequest } from './day-range';

describe('timeRangeOf', () => {
  it.each([
    ['no limits', {}, undefined, undefined],
    ['a moment', { from: '2026-01-31T08:00:00Z' }, '2026-01-31T08:00:00.000Z', undefined],
    [
      'moments with another offset',
      { from: '2026-01-31T08:00:00+08:00', to: '2026-01-31T08:00:00.5-01:00' },
      '2026-01-31T00:00:00.000Z',
      '2026-01-31T09:00:00.500Z',
    ],
    [
      'one day',
      { from: '2026-01-31', to: '2026-01-31' },
      '2026-01-30T16:00:00.000Z',
      '2026-01-31T16:00:00.000Z',
    ],
    [
      'the whole calendar',
      { from: '0001-01-01', to: '9999-12-31' },
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T16:00:00.000Z',
    ],
    ['the end of a year', { to: '2025-12-31' }, undefined, '2025-12-31T16:00:00.000Z'],
  ])('returns the range for %s in Shanghai', (_, request, from, before) => {
    expect(timeRangeOf(request, 'Asia/Shanghai')).toEqual({
      from: from === undefined ? undefined : new Date(from),
      before: before === undefined ? undefined : new Date(before),
    });
  });

  it('limits the end to the largest date of the database', () => {
    expect(timeRangeOf({ to: '9999-12-31' }, 'America/New_York').before).toEqual(
      new Date('9999-12-31T23:59:59.999Z'),
    );
  });

  it('returns 23 hours for a day on which the clocks go forward', () => {
    expect(timeRangeOf({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/Berlin')).toEqual({
      from: new Date('2026-03-28T23:00:00.000Z'),
      before: new Date('2026-03-29T22:00:00.000Z'),
    });
  });
});

describe('boundedRangeOf', () => {
  const NOW = new Date('2026-06-15T12:00:00.000Z');
  const rangeOf = (request: TimeRangeRequest) => boundedRangeOf(request, 'Europe/Berlin', NOW);

  it.each([
    ['the last 30 days', {}, '2026-05-16T12:00:00.000Z', undefined],
    [
      'the 30 days before its end',
      { to: '2026-01-31T08:00:00Z' },
      '2026-01-01T08:00:00.000Z',
      '2026-01-31T08:00:00.000Z',
    ],
    [
      'the last 30 days, when it ends later',
      { to: '2100-12-31' },
      '2026-05-16T12:00:00.000Z',
      '2100-12-31T23:00:00.000Z',
    ],
    ['everything since a moment', { from: '2025-06-14T12:00:00Z' }, '2025-06-14T12:00:00.000Z', undefined],
    ['everything from a future day', { from: '2100-01-01' }, '2099-12-31T23:00:00.000Z', undefined],
    [
      '366 days, the last one with 25 hours',
      { from: '2025-10-25', to: '2026-10-25' },
      '2025-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ],
    [
      'an empty range',
      { from: '2026-01-31T08:00:00Z', to: '2026-01-31T08:00:00Z' },
      '2026-01-31T08:00:00.000Z',
      '2026-01-31T08:00:00.000Z',
    ],
  ])('returns %s', (_, request, from, before) => {
    expect(rangeOf(request)).toEqual({
      from: new Date(from),
      before: before === undefined ? undefined : new Date(before),
    });
  });

  it.each([
    ['is inverted', { from: '2026-01-31T08:00:00.001Z', to: '2026-01-31T08:00:00Z' }],
    ['ends on the day before', { from: '2026-01-31', to: '2026-01-30' }],
    ['is longer than 366 days', { from: '2025-01-01', to: '2026-01-02' }],
    ['began more than 366 days ago', { from: '2025-06-14T11:59:59.999Z' }],
  ])('rejects a range that %s', (_, request) => {
    expect(() => rangeOf(request)).toThrow('to 取值无效');
  });
});
