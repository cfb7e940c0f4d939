import { isFailing } from './endpoint-health.rules';

describe('isFailing', () => {
  const since = new Date('2026-01-01T00:00:00.000Z');
  it.each([
    ['is true after five days and twenty attempts', 20, '2026-01-06T00:00:00.000Z', true],
    ['is false before five days', 500, '2026-01-05T23:59:59.999Z', false],
    ['is false with fewer than twenty attempts', 19, '2026-02-01T00:00:00.000Z', false],
  ])('%s', (_, attempts, now, expected) => {
    expect(isFailing(attempts, since, new Date(now))).toBe(expected);
  });

  it('is false before anything has failed', () => {
    expect(isFailing(20, null, new Date())).toBe(false);
  });
});
