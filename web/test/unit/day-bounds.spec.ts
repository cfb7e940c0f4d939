import { toBounds } from '../../src/app/find/day-bounds';

describe('toBounds', () => {
  it('returns the instants at which the first day begins and the last day ends, in the local time zone', () => {
    expect(toBounds('2026-01-31', '2026-01-31')).toEqual({
      from: new Date(2026, 0, 31).toISOString(),
      to: new Date(2026, 1, 1).toISOString(),
    });
  });

  it('returns undefined for a missing day, and an invalid day unchanged', () => {
    expect(toBounds(undefined, '12026-01-31')).toEqual({ from: undefined, to: '12026-01-31' });
  });
});
