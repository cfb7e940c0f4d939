import { driftOf, toCorrections } from './drift.rules';
import { summed } from './metrics.rules';

const figure = (metric: string, day: string, value: number) => ({ metric, day, value });

describe('summed', () => {
  it('returns the sums in the order of names and days, without zeros', () => {
    expect(
      summed([
        figure('b', '2026-01-31', 1),
        figure('a', '2026-02-01', 2),
        figure('b', '2026-01-31', 3),
        figure('a', '2026-01-31', 5),
        figure('c', '2026-01-31', 7),
        figure('c', '2026-01-31', -7),
      ]),
    ).toEqual([figure('a', '2026-01-31', 5), figure('a', '2026-02-01', 2), figure('b', '2026-01-31', 4)]);
  });
});

describe('driftOf', () => {
  it('returns missing, extra and different figures, which mending corrects', () => {
    const stored = [figure('a', '1', 1), figure('b', '1', 2), figure('c', '1', 3), figure('d', '1', 0)];
    const actual = [figure('a', '1', 1), figure('b', '1', 5), figure('e', '2', 4)];
    const drift = driftOf(stored, actual);
    expect(drift).toEqual([
      { metric: 'b', day: '1', stored: 2, actual: 5 },
      { metric: 'c', day: '1', stored: 3, actual: 0 },
      { metric: 'e', day: '2', stored: 0, actual: 4 },
    ]);
    expect(toCorrections(drift)).toEqual([figure('b', '1', 3), figure('c', '1', -3), figure('e', '2', 4)]);
  });
});
