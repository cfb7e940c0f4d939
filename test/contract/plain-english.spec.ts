import { globSync, readFileSync } from 'node:fs';

/** Words that CONTRIBUTING.md, section Language, excludes from prose. */
const AVOIDED =
  /\b(told|tells|hears|heard|whoever|whatsoever|nobody|somebody|oneself|one's|in vain|for good|costs nobody|minds)\b/i;
/** Starts of comments without a subject of their own, which are not understood alone. */
const BAD_START = /^(?:\/\*\*?|\/\/)\s+(?:\* )?(?:What|Who|Whom|Whose|Whatever|However|Of|As|Nor|Those)\b/;
/** Code, quotes and link texts, such as titles of tests, are not prose. */
const NOT_PROSE = /`[^`]*`|“[^”]*”|"[^"]*"|\[[^\]]*\]\([^)]*\)/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const CODE_BLOCK = /^```[\s\S]*?^```/gm;
const LIST_OF_TESTS = /^## Tests\n[\s\S]*?(?=^## |(?![\s\S]))/gm;

const prose = (text: string): string => text.replaceAll(NOT_PROSE, '');

function strays(file: string, text: string): string[] {
  return prose(text)
    .split('\n')
    .filter((line) => AVOIDED.test(line))
    .map((line) => `${file}: ${line.trim()}`);
}

describe('Plain English', () => {
  const comments = globSync(
    '{src,test,bench,scripts,packages/*/{src,test},web/{src,test,worker}}/**/*.{ts,tsx,js,mjs}',
  ).map((file) => ({ file, found: readFileSync(file, 'utf8').match(COMMENT) ?? [] }));

  it('is used in comments', () => {
    expect(comments.length).toBeGreaterThan(1_500);
    expect(comments.flatMap(({ file, found }) => strays(file, found.join('\n')))).toEqual([]);
  });

  it('starts each comment with a subject or a verb', () => {
    const bad = comments.flatMap(({ file, found }) =>
      found.filter((comment) => BAD_START.test(comment)).map((comment) => `${file}: ${comment}`),
    );
    expect(bad).toEqual([]);
  });

  it('is used in documents', () => {
    const files = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];
    const found = files.flatMap((file) =>
      strays(file, readFileSync(file, 'utf8').replaceAll(CODE_BLOCK, '').replaceAll(LIST_OF_TESTS, '')),
    );
    expect(found).toEqual([]);
  });
});
