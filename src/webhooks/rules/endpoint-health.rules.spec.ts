import { isFailing } from './endpoint-health.rules';

describe('An endpoint is given up', () => {
  const since = new Date('2026-01-01T00:00:00.000Z');
  it.each([
    ['after five days and twenty attempts', 20, '2026-01-06T00:00:00.000Z', true],
    ['not a moment before five days', 500, '2026-01-05T23:59:59.999Z', false],
    ['not with fewer than twenty attempts', 19, '2026-02-01T00:00:00.000Z', false],
  ])('%s', (_, attempts, now, expected) => {
    expect(isFailing(attempts, since, new Date(now))).toBe(expected);
  });

  it('not before anything has failed', () => {
    expect(isFailing(20, null, new Date())).toBe(false);
  });
});
