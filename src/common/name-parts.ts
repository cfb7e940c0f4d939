import { foldCase } from './fold-case';

/** Scripts that are written without spaces between words: any of their characters may begin one. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const GAP = /[\s\p{P}\p{Z}]/u;
const MARK = /\p{M}/u;

/**
 * The parts by which a name is found, folded: from each beginning of a word, and from each CJK character, to the name's
 * end. So whoever looks for something that a word of the name begins with finds it in a range of these (contract 16.1).
 */
export function namePartsOf(name: string): string[] {
  const characters = Array.from(foldCase(name));
  const starts = characters.flatMap((character, index) =>
    begins(character, characters[index - 1]) ? [index] : [],
  );
  return [...new Set(starts.map((start) => characters.slice(start).join('')))];
}

function begins(character: string, before: string | undefined): boolean {
  if (before === undefined) return true;
  if (GAP.test(character) || MARK.test(character)) return false;
  return GAP.test(before) || CJK.test(character) || CJK.test(before);
}

const LAST_POINT = 0x10ffff;
const [FIRST_SURROGATE, LAST_SURROGATE] = [0xd800, 0xdfff];

/** The first text, by code points, behind all that begin with `beginning`; undefined where there is none. */
export function behindAll(beginning: string): string | undefined {
  const points = Array.from(beginning, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}
