import { behindAll, namePartsOf } from './name-parts';

describe('The parts of a name', () => {
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
  ])('of %s are what its words and its CJK characters begin', (name, parts) => {
    expect(namePartsOf(name)).toEqual(parts);
  });

  it('leave marks with the letters that they stand on', () => {
    // These have no composed form.
    expect(namePartsOf('x\u0301y q\u0303')).toEqual(['x\u0301y q\u0303', 'q\u0303']);
  });

  it('are as many as the characters of a name at most', () => {
    expect(namePartsOf('一'.repeat(50))).toHaveLength(50);
  });
});

describe('What stands behind all texts of one beginning', () => {
  it.each([
    ['ann', 'ano'],
    ['爱', '爲'],
    ['\u{d7ff}', '\u{e000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['😀', '😁'],
  ])('%j', (beginning, behind) => {
    expect(behindAll(beginning)).toBe(behind);
  });
});
