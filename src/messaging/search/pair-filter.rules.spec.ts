import * as fc from 'fast-check';
import { addPairs, buildFilters, filterOf, mayContain, pairsOf } from './pair-filter.rules';

describe('pairsOf', () => {
  it('returns each pair of neighbouring code points once', () => {
    expect(pairsOf('abab').size).toBe(2);
    expect(pairsOf('👍中').size).toBe(1);
    expect(pairsOf('a').size).toBe(0);
  });
});

describe('mayContain', () => {
  it('never excludes a text that was added', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (texts) => {
        const filter = filterOf(texts.flatMap((text) => [...pairsOf(text)]));
        for (const text of texts) expect(mayContain(filter, pairsOf(text))).toBe(true);
      }),
    );
  });

  it('excludes most other pairs, also with the maximum number of pairs', () => {
    const pairs = Array.from({ length: 2_000 }, (_, index) => 0x4e00 * 2 ** 21 + 0x4e00 + index);
    const filter = filterOf(pairs);
    const others = Array.from({ length: 10_000 }, (_, index) => 0x6000 * 2 ** 21 + 0x4e00 + index);
    const passed = others.filter((pair) => mayContain(filter, [pair])).length;
    // With 8,000 of 15,360 bits set at most, (8,000 / 15,360)^4 is 7 %.
    expect(passed).toBeLessThan(700);
    expect(passed).toBeGreaterThan(0);
  });

  it('includes pairs that are added later', () => {
    const filter = filterOf(pairsOf('hello'));
    expect(mayContain(filter, pairsOf('world'))).toBe(false);
    addPairs(filter, pairsOf('world'));
    expect(mayContain(filter, pairsOf('world'))).toBe(true);
  });
});

describe('buildFilters', () => {
  const messages = (count: number, folded: (seq: number) => string | null) =>
    Array.from({ length: count }, (_, index) => ({ seq: index + 5, folded: folded(index + 5) }));
  const rangesOf = (...args: Parameters<typeof messages>) =>
    buildFilters(messages(...args)).map(({ from, to }) => [from, to]);

  it('ends a filter after 128 messages, and leaves the rest', () => {
    expect(rangesOf(300, () => 'same')).toEqual([
      [5, 132],
      [133, 260],
    ]);
    expect(rangesOf(127, () => 'same')).toEqual([]);
  });

  it('ends a filter before the message that exceeds 2,000 pairs', () => {
    const distinct = (seq: number) =>
      Array.from({ length: 101 }, (_, index) => String.fromCodePoint(0x4e00 + seq * 200 + index)).join('');
    expect(rangesOf(45, distinct)).toEqual([
      [5, 24],
      [25, 44],
    ]);
  });

  it('gives one long text a filter of its own', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    expect(rangesOf(3, (seq) => (seq === 6 ? long : 'same'))).toEqual([
      [5, 5],
      [6, 6],
    ]);
  });

  it('includes messages without a text', () => {
    expect(rangesOf(128, () => null)).toEqual([[5, 132]]);
  });
});
