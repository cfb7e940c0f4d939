import { foldCase } from '../../common/fold-case';

/* Matching of texts and keywords, and snippets of hits (API 8.13). Pure. */

/** Maximum length of a snippet, in code points. */
const SNIPPET_LENGTH = 120;
/** Number of code points of a snippet before the first hit. */
const LEAD = 30;

/** A part of a text around its first hit. */
export interface Snippet {
  /** At most 120 code points. */
  snippet: string;
  /** Start and length of each hit in the snippet, in code points. */
  highlights: [start: number, length: number][];
}

/**
 * Folds a text character by character. A text contains a keyword if its folded form contains that of the keyword.
 */
export const foldCharacters = (text: string): string =>
  text
    .normalize('NFC')
    .replace(ASCII_CAPITALS, (letters) => letters.toLowerCase())
    .replace(OTHER_LETTERS, foldLetter);

const ASCII_CAPITALS = /[A-Z]+/g;
/** The characters beyond ASCII that folding may change, some 2,900. It leaves all others of a composed text as they are. */
const OTHER_LETTERS = /(?![\0-\x7f])\p{Changes_When_Casemapped}/gu;
const foldedLetters = new Map<string, string>();

/** Remembers the folded letters, because a search folds up to a million of them. */
function foldLetter(letter: string): string {
  const folded = foldedLetters.get(letter) ?? foldCase(letter);
  foldedLetters.set(letter, folded);
  return folded;
}

/**
 * Returns the part of a text around the first hit, with all hits in it; undefined if the text does not contain the
 * keyword.
 * @param keyword the folded keyword
 */
export function snippetOf(text: string, keyword: string): Snippet | undefined {
  if (!foldCharacters(text).includes(keyword)) return undefined;
  const characters = Array.from(text.normalize('NFC'));
  const folded = characters.map(foldCase);
  const hits = hitsIn(folded, keyword);
  const [first] = hits;
  if (first === undefined) return undefined;
  const start = Math.max(0, Math.min(first.from - LEAD, characters.length - SNIPPET_LENGTH));
  const end = Math.min(characters.length, start + SNIPPET_LENGTH);
  return {
    snippet: characters.slice(start, end).join(''),
    highlights: hits
      .filter(({ from }) => from < end)
      .map(({ from, to }) => [from - start, Math.min(to, end) - from]),
  };
}

/**
 * Returns the hits, as ranges of characters: a hit that covers a part of a folded character, as `s` does in `ß`,
 * covers the character.
 */
function hitsIn(folded: readonly string[], keyword: string): { from: number; to: number }[] {
  const text = folded.join('');
  const hits: { from: number; to: number }[] = [];
  let index = 0;
  let offset = 0;
  /** Advances to the character that contains an offset of the folded text. */
  const characterAt = (position: number): number => {
    while (offset + (folded[index]?.length ?? Infinity) <= position) {
      offset += folded[index]?.length ?? 0;
      index += 1;
    }
    return index;
  };
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + keyword.length)) {
    const from = Math.max(characterAt(at), hits.at(-1)?.to ?? 0);
    const to = characterAt(at + keyword.length - 1) + 1;
    if (from < to) hits.push({ from, to });
  }
  return hits;
}
