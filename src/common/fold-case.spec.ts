import { foldCase } from './fold-case';

describe('Case folding', () => {
  it.each([
    ['Alice', 'aLICE'],
    ['ÅNGSTRÖM', 'ångström'],
    ['\u00c9', 'e\u0301'],
    ['STRASSE', 'straße'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['ЖЁЛТЫЙ', 'жёлтый'],
    ['Ⅷ', 'ⅷ'],
    ['ſ', 's'],
  ])('takes %s and %s for the same', (one, other) => {
    expect(foldCase(one)).toBe(foldCase(other));
  });

  it.each([
    ['e', 'é'],
    ['a', 'ａ'],
    ['😀', '😁'],
    ['张三', '張三'],
    ['alice', 'alice '],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldCase(one)).not.toBe(foldCase(other));
  });

  it('has folded once and for all, at most three times as long, for every character there is', () => {
    const wrong: string[] = [];
    for (let code = 1; code <= 0x10_ff_ff; code += 1) {
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const folded = foldCase(String.fromCodePoint(code));
      if (foldCase(folded) !== folded || Array.from(folded).length > 3) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});
