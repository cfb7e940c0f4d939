import { gapAfter, pauseAfterPushes, pushWaitAfter, rejectedFor } from './push-schedule.rules';

describe('gapAfter', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [5, 60_000],
    [9, 60_000],
  ])('returns after %i pushes %i ms', (pushes, ms) => expect(gapAfter(pushes)).toBe(ms));
});

describe('pauseAfterPushes', () => {
  it.each([
    [1, 1, 0.4],
    [50, 1, 20],
    [50, 0.5, 80],
    [50, 0.2, 500],
    [50, 0.001, 500],
  ])('returns after %i pushes with an idle ratio of %d: %d ms', (pushes, idleRatio, ms) =>
    expect(pauseAfterPushes(pushes, idleRatio)).toBeCloseTo(ms, 6),
  );
});

describe('pushWaitAfter', () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [3, 2_000],
    [7, 32_000],
  ])('doubles the wait of a ring: after attempt %i it is %i ms', (attempts, ms) =>
    expect(pushWaitAfter(attempts, { isCall: true, chance: 0.3 })).toBe(ms),
  );

  it.each([
    [1, 0.5, 2_500],
    [2, 1, 30_000],
    [3, 0, 0],
    [4, 0.1, 60_000],
    [5, 0.5, 1_800_000],
    [50, 1, 3_600_000],
  ])(
    'chooses the wait of other pushes at random: after attempt %i with %d it is %i ms',
    (attempts, chance, ms) => expect(pushWaitAfter(attempts, { isCall: false, chance })).toBe(ms),
  );

  it('waits at least as long as the provider asks for', () => {
    expect(pushWaitAfter(1, { isCall: false, chance: 0.5, requestedMs: 120_000 })).toBe(120_000);
  });
});

describe('rejectedFor', () => {
  it.each([
    [1, 3_600_000],
    [2, 7_200_000],
    [5, 57_600_000],
    [20, 604_800_000],
  ])('returns after rejection %i: %i ms', (rejections, ms) => expect(rejectedFor(rejections)).toBe(ms));
});
