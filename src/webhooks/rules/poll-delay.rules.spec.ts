import { pollDelayMs } from './poll-delay.rules';

describe('pollDelayMs', () => {
  it.each([
    [0, 1, 20],
    [0, 0.001, 20],
    [10, 0.9, 20],
    [50, 0.8, 31.25],
    [50, 0.4, 125],
    [50, 0.2, 500],
    [50, 0.1, 2_000],
    [50, 0.001, 2_000],
  ])('returns after %d attempts with an idle ratio of %d: %d ms', (attempts, idleness, wanted) => {
    expect(pollDelayMs(attempts, idleness)).toBeCloseTo(wanted, 6);
  });
});
