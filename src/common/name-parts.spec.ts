import { behindAll, namePartsOf } from './name-parts';

describe('namePartsOf', () => {
  it.each([
    ['Ann', ['ann']],
    ['Ann Lee', ['ann lee', 'lee']],
    ['Ann-Marie O’Neil', ['ann-marie o’neil', 'marie o’neil', 'o’neil', 'neil']],
    ['爱丽丝', ['爱丽丝', '丽丝', '丝']],
    ['Li 小明', ['li 小明', '小明', '明']],
    ['小Ann', ['小ann', 'ann']],
    ['たなか', ['たなか', 'なか', 'か']],
    ['김철수', ['김철수', '철수', '수']],
    ['STRASSE ß', ['strasse ss', 'ss']],
    ['user12', ['user12']],
    ['🎉 party', ['🎉 party', 'party']],
    ['@ann', ['@ann', 'ann']],
    ['ann ann', ['ann ann', 'ann']],
    [' x', [' x', 'x']],
  ])('returns for %s the suffixes that start with a word or a CJK character', (name, parts) => {
    expect(namePartsOf(name)).toEqual(parts);
  });

  it('keeps combining marks with their letters', () => {
    // These have no composed form.
    expect(namePartsOf('x\u0301y q\u0303')).toEqual(['x\u0301y q\u0303', 'q\u0303']);
  });

  it('returns at most one part per character', () => {
    expect(namePartsOf('一'.repeat(50))).toHaveLength(50);
  });
});

describe('behindAll', () => {
  it.each([
    ['ann', 'ano'],
    ['爱', '爲'],
    ['\u{d7ff}', '\u{e000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['😀', '😁'],
  ])('returns the upper bound of texts with the prefix %j', (beginning, behind) => {
    expect(behindAll(beginning)).toBe(behind);
  });
});
