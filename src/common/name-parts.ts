import { foldCase } from './fold-case';

/** Scripts without spaces between words: any character may begin a word. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const GAP = /[\s\p{P}\p{Z}]/u;
const MARK = /\p{M}/u;

/**
 * Returns the case-folded search keys of a name: from the start of each word and from each CJK character to the end of
 * the name. A search for the prefix of a word is then a range query on these keys (API 9.1).
 */
export function namePartsOf(name: string): string[] {
  const characters = Array.from(foldCase(name));
  const starts = characters.flatMap((character, index) =>
    startsPart(character, characters[index - 1]) ? [index] : [],
  );
  return [...new Set(starts.map((start) => characters.slice(start).join('')))];
}

function startsPart(character: string, previous: string | undefined): boolean {
  if (previous === undefined) return true;
  if (GAP.test(character) || MARK.test(character)) return false;
  return GAP.test(previous) || CJK.test(character) || CJK.test(previous);
}

const LAST_POINT = 0x10ffff;
const [FIRST_SURROGATE, LAST_SURROGATE] = [0xd800, 0xdfff];

/** Returns the exclusive upper bound, by code points, of all texts with this prefix; undefined if there is none. */
export function behindAll(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}
