import { foldCase } from './fold-case';

describe('foldCase', () => {
  it.each([
    ['Alice', 'aLICE'],
    ['ÅNGSTRÖM', 'ångström'],
    ['\u00c9', 'e\u0301'],
    ['STRASSE', 'straße'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['ЖЁЛТЫЙ', 'жёлтый'],
    ['Ⅷ', 'ⅷ'],
    ['ſ', 's'],
  ])('maps %s and %s to the same text', (one, other) => {
    expect(foldCase(one)).toBe(foldCase(other));
  });

  it.each([
    ['e', 'é'],
    ['a', 'ａ'],
    ['😀', '😁'],
    ['张三', '張三'],
    ['alice', 'alice '],
  ])('maps %s and %s to different texts', (one, other) => {
    expect(foldCase(one)).not.toBe(foldCase(other));
  });

  it('is idempotent and returns at most 3 characters for every Unicode character', () => {
    const wrong: string[] = [];
    for (let code = 1; code <= 0x10_ff_ff; code += 1) {
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const folded = foldCase(String.fromCodePoint(code));
      if (foldCase(folded) !== folded || Array.from(folded).length > 3) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});
