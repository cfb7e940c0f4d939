import { hasControls, isInvisible, withoutControls } from './visible-text';

describe('hasControls', () => {
  it.each([
    ['a\nb'],
    ['a\rb'],
    ['a\tb'],
    ['\u0007'],
    ['\u007F'],
    ['\u0085'],
    ['\u2028'],
    ['\u2029'],
    ['\u061C'],
    ['\u200E'],
    ['\u200F'],
    ['\u202Egnp.exe'],
    ['\u2066a\u2069'],
  ])('detects the control characters in %j', (text) => {
    expect(hasControls(text)).toBe(true);
    expect(hasControls(withoutControls(text))).toBe(false);
  });

  it.each([
    '李雷',
    'שלום',
    'مرحبا',
    'نمی\u200Cخواهم',
    '👨\u200D👩\u200D👧',
    '❤\uFE0F',
    'a b',
    'a\u3000b',
    '',
  ])('is false for %j', (text) => {
    expect(hasControls(text)).toBe(false);
    expect(withoutControls(text)).toBe(text);
  });
});

describe('isInvisible', () => {
  it.each([
    '',
    ' ',
    '\u3000',
    '\u00A0',
    '\u200B',
    '\u200D',
    '\uFEFF',
    '\u00AD',
    '\uFE0F',
    '\u3164',
    '\u115F',
  ])('is true for %j', (text) => {
    expect(isInvisible(text)).toBe(true);
    expect(isInvisible(`${text}a${text}`)).toBe(false);
  });

  it('is true for tags, the empty Braille pattern and line breaks', () => {
    expect(['\u{E0061}', '\u2800', '\n\u202E'].map(isInvisible)).toEqual([true, true, true]);
  });
});
