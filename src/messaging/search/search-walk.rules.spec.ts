import { filterOf, pairsOf } from './pair-filter.rules';
import { chunksOf, cutWalk, walkOf } from './search-walk.rules';

const HELLO = filterOf(pairsOf('hello'));
const OTHER = filterOf(pairsOf('other'));
const pairs = pairsOf('hello');
const filter = (conversation_id: number, from_seq: number, to_seq: number, bits = HELLO) => ({
  conversation_id,
  from_seq,
  to_seq,
  bits,
});
const range = (conversation_id: number, from: number, to: number) => ({ conversation_id, from, to });

describe('walkOf', () => {
  it('reads ranges without a filter, and those whose filter has the pairs', () => {
    const filters = [filter(9, 301, 400), filter(9, 201, 300, OTHER), filter(9, 101, 200)];
    expect(walkOf([range(9, 1, 450), range(8, 1, 5)], filters, { pairs, isCut: false })).toEqual({
      ranges: [range(9, 401, 450), range(9, 301, 400), range(9, 101, 200), range(9, 1, 100), range(8, 1, 5)],
      end: undefined,
    });
  });

  it('reads a lost filter in between as text', () => {
    expect(
      walkOf([range(9, 1, 300)], [filter(9, 201, 300, OTHER), filter(9, 1, 100, OTHER)], {
        pairs,
        isCut: false,
      }),
    ).toEqual({ ranges: [range(9, 101, 200)], end: undefined });
  });

  it('stays within the visible messages', () => {
    const filters = [filter(9, 101, 200), filter(9, 1, 100)];
    expect(walkOf([range(9, 50, 150)], filters, { pairs, isCut: false }).ranges).toEqual([
      range(9, 101, 150),
      range(9, 50, 100),
    ]);
  });

  it('ends with the last filter if there may be more', () => {
    const filters = [filter(9, 201, 300, OTHER), filter(9, 101, 200)];
    expect(walkOf([range(9, 1, 300), range(8, 1, 5)], filters, { pairs, isCut: true })).toEqual({
      ranges: [range(9, 101, 200)],
      end: { conversation_id: 9, seq: 101 },
    });
  });
});

describe('cutWalk', () => {
  const walk = { ranges: [range(9, 101, 200), range(8, 1, 50)], end: undefined };

  it.each([
    [150, [range(9, 101, 200), range(8, 1, 50)], undefined],
    [120, [range(9, 101, 200), range(8, 31, 50)], { conversation_id: 8, seq: 31 }],
    [100, [range(9, 101, 200)], { conversation_id: 9, seq: 101 }],
    [40, [range(9, 161, 200)], { conversation_id: 9, seq: 161 }],
  ])('keeps %i messages', (limit, ranges, end) => {
    expect(cutWalk(walk, limit)).toEqual({ ranges, end });
  });

  it('keeps the end of a walk that fits', () => {
    const end = { conversation_id: 8, seq: 7 };
    expect(cutWalk({ ...walk, end }, 1_000).end).toEqual(end);
  });
});

describe('chunksOf', () => {
  it('splits a range that is longer than the messages of one statement', () => {
    expect(chunksOf([range(9, 1, 1_200)])).toEqual([
      [range(9, 701, 1_200)],
      [range(9, 201, 700)],
      [range(9, 1, 200)],
    ]);
  });

  it('reads short ranges together', () => {
    expect(chunksOf([range(9, 1, 300), range(8, 1, 200), range(7, 5, 5)])).toEqual([
      [range(9, 1, 300), range(8, 1, 200)],
      [range(7, 5, 5)],
    ]);
  });

  it('reads at most 50 ranges together', () => {
    const ranges = Array.from({ length: 51 }, (_, index) => range(index + 1, 1, 1));
    expect(chunksOf(ranges).map(({ length }) => length)).toEqual([50, 1]);
  });
});
