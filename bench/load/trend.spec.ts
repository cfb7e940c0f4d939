import { growthOf } from './trend';

describe('growthOf()', () => {
  it.each<[string, number[], number]>([
    ['a constant series', [7, 7, 7, 7], 0],
    ['a series that rises by its mean', [50, 100, 150], 1],
    ['a falling series', [120, 100, 80], -0.4],
    ['a series that rises and falls again', [90, 110, 110, 90], 0],
    ['a single value', [5], 0],
  ])('returns the growth of %s', (_title, values, growth) =>
    expect(growthOf(values)).toBeCloseTo(growth, 10),
  );
});
