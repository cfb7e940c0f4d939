import * as fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { ancestorIds, isInSubtree, placeBelow, ROOT, subtreeRange } from './group-path.rules';

describe('Group path', () => {
  it('contains the groups from the root', () => {
    const building = placeBelow(ROOT, 3);
    expect(building).toEqual({ path: '/3/', depth: 1 });
    expect(placeBelow(building, 14)).toEqual({ path: '/3/14/', depth: 2 });
  });

  it('contains the ancestors from the root, without the group itself', () => {
    expect(ancestorIds('/3/')).toEqual([]);
    expect(ancestorIds('/3/14/15/')).toEqual([3, 14]);
  });

  it('distinguishes ids with a common prefix', () => {
    expect(isInSubtree('/31/', '/3/')).toBe(false);
    expect(isInSubtree('/3/1/', '/3/')).toBe(true);
    expect(isInSubtree('/3/', '/3/')).toBe(true);
  });

  it('fits its column with ten of the largest possible ids', () => {
    const deepest = Array.from({ length: 10 }).reduce<typeof ROOT>(
      (place) => placeBelow(place, Number.MAX_SAFE_INTEGER),
      ROOT,
    );
    expect(deepest.path).toHaveLength(171);
  });

  it('has a range with exactly the paths of its subtree', () => {
    const aPath = fc
      .array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1 })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((ids) => `/${ids.join('/')}/`);
    fc.assert(
      fc.property(aPath, aPath, (top, path) => {
        const { from, to } = subtreeRange(top);
        expect(path >= from && path < to).toBe(isInSubtree(path, top));
      }),
      propertyRuns(),
    );
  });
});
