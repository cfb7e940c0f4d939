import { assert, integer, nat, property, uniqueArray } from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { below, cover, nodesOf, type Range, topOf } from './count-tree.rules';

describe('Count tree', () => {
  it('counts a position once per level, up to the root', () => {
    expect(nodesOf(1)).toEqual([
      { level: 0, block: 0 },
      { level: 1, block: 0 },
      { level: 2, block: 0 },
      { level: 3, block: 0 },
    ]);
    expect(nodesOf(100_000)).toEqual([
      { level: 0, block: 3_125 },
      { level: 1, block: 97 },
      { level: 2, block: 3 },
      { level: 3, block: 0 },
    ]);
  });

  it.each([
    [0, 0, [0]],
    [127, 0, [3, 2, 1, 0]],
    [128, 1, [0]],
    [4_095, 1, [3, 2, 1, 0]],
    [4_096, 2, [0]],
    [100_000, 2, [3, 2, 1, 0]],
    [131_072, 3, [0]],
    [Number.MAX_SAFE_INTEGER, 3, [0]],
  ])('is searched from a few blocks: with positions up to %i, of level %i', (lastSeq, level, blocks) => {
    expect(topOf(lastSeq)).toEqual({ level, blocks });
  });

  it('covers a window with exactly the blocks that contain it', () => {
    const counted = [
      { block: 9, count: 5 },
      { block: 7, count: 0 },
      { block: 4, count: 2 },
      { block: 1, count: 30 },
    ];
    expect(cover(counted, { skip: 0, take: 5 })).toEqual({ blocks: [9], window: { skip: 0, take: 5 } });
    expect(cover(counted, { skip: 4, take: 2 })).toEqual({ blocks: [9, 4], window: { skip: 4, take: 2 } });
    expect(cover(counted, { skip: 6, take: 9 })).toEqual({ blocks: [4, 1], window: { skip: 1, take: 9 } });
    expect(cover(counted, { skip: 37, take: 9 })).toEqual({ blocks: [], window: { skip: 37, take: 9 } });
  });

  it('merges the ranges below adjacent blocks', () => {
    expect(below(2, [3, 2, 0])).toEqual([
      { from: 64, to: 127 },
      { from: 0, to: 31 },
    ]);
    expect(below(0, [5])).toEqual([{ from: 160, to: 191 }]);
  });

  it('finds exactly the elements of any window of any list', () => {
    const positions = uniqueArray(integer({ min: 1, max: 200_000 }), { maxLength: 200 });
    assert(
      property(positions, nat(250), integer({ min: 1, max: 100 }), (seqs, skip, take) => {
        const newestFirst = seqs.toSorted((a, b) => b - a);
        const top = topOf(newestFirst[0] ?? 0);
        let inside = below(top.level, top.blocks);
        let window = { skip, take };
        for (let level = top.level - 1; level >= 0; level -= 1) {
          const counts = new Map<number, number>();
          for (const seq of newestFirst) {
            const block = nodesOf(seq)[level]?.block ?? -1;
            if (isWithin(inside, block)) counts.set(block, (counts.get(block) ?? 0) + 1);
          }
          const found = cover(
            Array.from(counts, ([block, count]) => ({ block, count })),
            window,
          );
          inside = below(level, found.blocks);
          window = found.window;
        }
        const rows = newestFirst.filter((seq) => isWithin(inside, seq));
        expect(rows.slice(window.skip, window.skip + take)).toEqual(newestFirst.slice(skip, skip + take));
        expect(rows.length).toBeLessThanOrEqual(32 * (take + 1 + 3));
      }),
      propertyRuns(),
    );
  });
});

const isWithin = (ranges: Range[], number: number): boolean =>
  ranges.some(({ from, to }) => number >= from && number <= to);
