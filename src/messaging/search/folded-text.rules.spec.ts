import * as fc from 'fast-check';
import { foldCase } from '../../common/fold-case';
import { foldCharacters, snippetOf } from './folded-text.rules';

describe('foldCharacters', () => {
  it('folds each character like foldCase', () => {
    const differing: string[] = [];
    for (let code = 0; code <= 0x1ffff; code += 1) {
      const text = `a${String.fromCodePoint(code)}Z`;
      const expected = Array.from(text.normalize('NFC'), foldCase).join('');
      if (foldCharacters(text) !== expected) differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });
});

describe('snippetOf', () => {
  it.each([
    ['Hello World', 'WORLD', 'Hello World', [[6, 5]]],
    ['下午三点开会', '三点', '下午三点开会', [[2, 2]]],
    [
      'one, two, ONE',
      'one',
      'one, two, ONE',
      [
        [0, 3],
        [10, 3],
      ],
    ],
    ['Straße', 'SS', 'Straße', [[4, 1]]],
    [
      'Straße',
      's',
      'Straße',
      [
        [0, 1],
        [4, 1],
      ],
    ],
    [
      '👍 ok 👍',
      '👍',
      '👍 ok 👍',
      [
        [0, 1],
        [5, 1],
      ],
    ],
    ['Cafe\u0301', 'café', 'Café', [[0, 4]]],
    ['ΣΟΦΟΣ', 'σοφος', 'ΣΟΦΟΣ', [[0, 5]]],
    [
      'aaaa',
      'aa',
      'aaaa',
      [
        [0, 2],
        [2, 2],
      ],
    ],
  ])('finds in %j the keyword %j', (text, keyword, snippet, highlights) => {
    expect(snippetOf(text, foldCharacters(keyword))).toEqual({ snippet, highlights });
  });

  it.each([
    ['Hello', 'world'],
    ['café', 'cafe'],
    ['', 'a'],
  ])('finds in %j no keyword %j', (text, keyword) => {
    expect(snippetOf(text, foldCharacters(keyword))).toBeUndefined();
  });

  it('begins 30 characters before the first hit, and ends after 120', () => {
    const text = `${'a'.repeat(100)}b${'c'.repeat(200)}b`;
    expect(snippetOf(text, 'b')).toEqual({
      snippet: `${'a'.repeat(30)}b${'c'.repeat(89)}`,
      highlights: [[30, 1]],
    });
  });

  it('ends with the text if the hit is near its end', () => {
    const { snippet, highlights } = snippetOf(`${'a'.repeat(200)}b`, 'b') ?? { snippet: '', highlights: [] };
    expect([snippet.length, highlights]).toEqual([120, [[119, 1]]]);
  });

  it('cuts a hit that is longer than the snippet', () => {
    const keyword = 'x'.repeat(100);
    const result = snippetOf(`${'a'.repeat(50)}${keyword}${'b'.repeat(50)}`, keyword);
    expect([result?.snippet.length, result?.highlights]).toEqual([120, [[30, 90]]]);
  });

  it('finds exactly the texts whose folded form includes the folded keyword', () => {
    const characters = fc.constantFrom(
      'a',
      'A',
      'b',
      'ß',
      'S',
      's',
      'İ',
      'i',
      '\u0307',
      'e',
      '\u0301',
      'é',
      '中',
      '👍',
      'ς',
      'Σ',
    );
    const text = fc.array(characters, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (content, keyword) => {
        fc.pre(keyword !== '');
        const folded = foldCharacters(keyword);
        expect(snippetOf(content, folded) !== undefined).toBe(foldCharacters(content).includes(folded));
      }),
    );
  });
});
