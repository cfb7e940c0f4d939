import { retryAfterMs, waitAfter } from './retry-schedule.rules';

const HOUR = 3_600_000;

describe('waitAfter', () => {
  it.each([
    [1, 5_000],
    [2, 300_000],
    [3, 1_800_000],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('returns after attempt %d: %d ms, plus or minus a fifth', (attempts, wait) => {
    expect(waitAfter(attempts, 0.5)).toBe(wait);
    expect(waitAfter(attempts, 0)).toBe(wait * 0.8);
    expect(waitAfter(attempts, 1)).toBe(wait * 1.2);
  });

  it('returns undefined after the tenth attempt', () => {
    expect(waitAfter(10, 0.5)).toBeUndefined();
    expect(waitAfter(11, 0.5, 1_000)).toBeUndefined();
  });

  it('returns at least the delay that the receiver requests, up to a day', () => {
    expect(waitAfter(1, 0, 60_000)).toBe(60_000);
    expect(waitAfter(1, 1, 60_000)).toBe(60_000);
    expect(waitAfter(2, 0.5, 60_000)).toBe(300_000);
    expect(waitAfter(1, 0.5, 100 * HOUR)).toBe(24 * HOUR);
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-01-31T08:00:00.000Z');
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 31 Jan 2026 08:01:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
    ['Saturday, 31-Jan-26 08:01:00 GMT', 60_000],
    ['-5', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['99999999999', 0],
    ['soon', 0],
    ['Soon', 0],
    ['2027', 2_027_000],
    ['', 0],
    [undefined, 0],
  ])('parses %s as %d ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
