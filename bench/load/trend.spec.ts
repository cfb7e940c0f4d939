import { growthOf } from './trend';

describe('The growth of a series', () => {
  it.each<[string, number[], number]>([
    ['one that stays', [7, 7, 7, 7], 0],
    ['one that rises by its mean', [50, 100, 150], 1],
    ['one that falls', [120, 100, 80], -0.4],
    ['one that goes up and down again', [90, 110, 110, 90], 0],
    ['a single value', [5], 0],
  ])('%s', (_title, values, growth) => expect(growthOf(values)).toBeCloseTo(growth, 10));
});
