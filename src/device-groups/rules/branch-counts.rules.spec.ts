import * as fc from 'fast-check';
import { type BranchCount, branchCounts } from './branch-counts.rules';
import { propertyRuns } from '../../../test/support/property-runs';

const count = (id: number, device_count: number, total_device_count: number): BranchCount => ({
  id,
  device_count,
  total_device_count,
});

describe('branchCounts', () => {
  it('returns nothing without devices', () => {
    expect(branchCounts([], [])).toEqual([]);
  });

  it('adds the counts of lower groups', () => {
    const direct = [
      { path: '/1/', count: 2 },
      { path: '/1/2/3/', count: 5 },
      { path: '/4/', count: 1 },
    ];
    expect(branchCounts(direct, [])).toEqual([
      count(1, 2, 7),
      count(2, 0, 5),
      count(3, 5, 5),
      count(4, 1, 1),
    ]);
  });

  it('counts a device once per branch when it is in several groups', () => {
    const direct = ['/1/2/', '/1/3/', '/1/', '/4/'].map((path) => ({ path, count: 1 }));
    const shared = direct.map(({ path }) => ({ device_id: 7, path }));
    expect(branchCounts(direct, shared)).toEqual([
      count(1, 1, 1),
      count(2, 1, 1),
      count(3, 1, 1),
      count(4, 1, 1),
    ]);
  });

  it('distinguishes ids with a common prefix', () => {
    const direct = ['/1/14/', '/1/141/'].map((path) => ({ path, count: 1 }));
    const shared = direct.map(({ path }) => ({ device_id: 7, path }));
    expect(branchCounts(direct, shared)).toEqual([count(1, 0, 1), count(14, 1, 1), count(141, 1, 1)]);
  });

  it('is equal to counting each branch separately', () => {
    /** For each group, the number that selects its parent: one of the groups before it, or the top. */
    const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
    const places = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 11 })), { maxLength: 30 });
    fc.assert(
      fc.property(trees, places, (parents, memberships) => {
        const paths: string[] = [];
        for (const [index, parent] of parents.entries()) {
          const above = paths[parent % (index + 1)] ?? '/';
          paths.push(`${above}${index + 1}/`);
        }
        const chosen = memberships.filter(([, group]) => group < paths.length);
        const rows = [...new Set(chosen.map(([device, group]) => `${device} ${paths[group]}`))].map((row) => {
          const [device_id = '', path = ''] = row.split(' ');
          return { device_id: Number(device_id), path };
        });
        const direct = Array.from(
          Map.groupBy(rows, ({ path }) => path),
          ([path, rowsOfPath]) => ({ path, count: rowsOfPath.length }),
        );
        const several = Map.groupBy(rows, ({ device_id }) => device_id);
        const shared = rows.filter(({ device_id }) => (several.get(device_id)?.length ?? 0) > 1);
        const expected = paths.flatMap((path, index) => {
          const below = rows.filter((row) => row.path.startsWith(path));
          const total = new Set(below.map(({ device_id }) => device_id)).size;
          const directCount = rows.filter((row) => row.path === path).length;
          return total === 0 ? [] : [count(index + 1, directCount, total)];
        });
        expect(branchCounts(direct, shared)).toEqual(expected);
      }),
      propertyRuns(500),
    );
  });
});
