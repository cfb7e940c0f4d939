import { clockTime, noticeOf } from './notice.rules';

describe('clockTime', () => {
  it.each([
    [0, '00:00'],
    [7, '00:07'],
    [65, '01:05'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [36_061, '10:01:01'],
  ])('formats %i s as %s', (seconds, shown) => {
    expect(clockTime(seconds)).toBe(shown);
  });
});

describe('noticeOf', () => {
  it('parses JSON and returns null for null', () => {
    expect(noticeOf('{"event":"renamed","name":"Trip"}')).toEqual({ event: 'renamed', name: 'Trip' });
    expect(noticeOf(null)).toBeNull();
  });
});
