import { perWorker } from './per-worker';

describe('perWorker', () => {
  it.each([
    [15, 1, 15],
    [15, 2, 7],
    [15, 4, 3],
    [15, 8, 1],
    [10, 15, 1],
  ])('divides %d among %d workers: %d each', (maximum, workers, share) => {
    expect(perWorker(maximum, workers)).toBe(share);
  });
});
