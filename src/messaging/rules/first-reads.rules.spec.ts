import * as fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { coverAll, coverFirstReads } from './first-reads.rules';
import type { SeqRange } from './history-range.rules';

const covers = (ranges: SeqRange[], seq: number): boolean =>
  ranges.some(({ from, to }) => from <= seq && seq <= to);

describe('First reads', () => {
  it('advance the frontier', () => {
    expect(coverFirstReads({ frontier: 3, gaps: [] }, { from: 2, to: 5 })).toEqual({
      frontier: 5,
      read: [{ from: 4, to: 5 }],
      gaps: [],
    });
  });

  it('leave a gap below a read that starts above the frontier', () => {
    expect(coverFirstReads({ frontier: 3, gaps: [] }, { from: 6, to: 8 })).toEqual({
      frontier: 8,
      read: [{ from: 6, to: 8 }],
      gaps: [{ from: 4, to: 5 }],
    });
  });

  it('fill gaps completely or partly', () => {
    const gaps = [
      { from: 2, to: 5 },
      { from: 8, to: 9 },
    ];
    expect(coverFirstReads({ frontier: 10, gaps }, { from: 4, to: 8 })).toEqual({
      frontier: 10,
      read: [
        { from: 4, to: 5 },
        { from: 8, to: 8 },
      ],
      gaps: [
        { from: 2, to: 3 },
        { from: 9, to: 9 },
      ],
    });
  });

  it('contain each read message once, with its first reader', () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat({ max: 6 })).map(([from, length]) => ({
      from,
      to: from + length,
    }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (reads) => {
        let frontier = 0;
        let gaps: SeqRange[] = [];
        const first = new Map<number, number>();
        const expected = new Map<number, number>();
        for (const [reader, read] of reads.entries()) {
          const touched = gaps.filter(({ from, to }) => to >= read.from && from <= read.to);
          const change = coverFirstReads({ frontier, gaps: touched }, read);
          for (const { from, to } of change.read)
            for (let seq = from; seq <= to; seq += 1) {
              expect(first.has(seq)).toBe(false);
              first.set(seq, reader);
            }
          for (let seq = read.from; seq <= read.to; seq += 1)
            if (!expected.has(seq)) expected.set(seq, reader);
          gaps = [...gaps.filter((gap) => !touched.includes(gap)), ...change.gaps];
          ({ frontier } = change);
          for (let seq = 1; seq <= 20; seq += 1)
            expect(covers(gaps, seq) || seq > frontier).toBe(!expected.has(seq));
        }
        expect(first).toEqual(expected);
      }),
      propertyRuns(),
    );
  });

  it('of several reads are equal to those of one after the other', () => {
    const gaps = [{ from: 2, to: 3 }];
    const reads = [
      { by: 1, range: { from: 7, to: 8 } },
      { by: 2, range: { from: 3, to: 6 } },
      { by: 3, range: { from: 5, to: 9 } },
    ];
    expect(coverAll({ frontier: 4, gaps }, reads)).toEqual({
      frontier: 9,
      read: [
        { by: 1, range: { from: 7, to: 8 } },
        { by: 2, range: { from: 3, to: 3 } },
        { by: 2, range: { from: 5, to: 6 } },
        { by: 3, range: { from: 9, to: 9 } },
      ],
      gaps: [{ from: 2, to: 2 }],
    });
  });
});
