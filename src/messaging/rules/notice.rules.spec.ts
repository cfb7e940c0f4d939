import { clockTime, noticeOf } from './notice.rules';

describe('The length of a call', () => {
  it.each([
    [0, '00:00'],
    [7, '00:07'],
    [65, '01:05'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [36_061, '10:01:01'],
  ])('of %i s is %s', (seconds, shown) => {
    expect(clockTime(seconds)).toBe(shown);
  });
});

describe('What a notice tells', () => {
  it('is kept as JSON, and is nothing where there is none', () => {
    expect(noticeOf('{"event":"renamed","name":"Trip"}')).toEqual({ event: 'renamed', name: 'Trip' });
    expect(noticeOf(null)).toBeNull();
  });
});
