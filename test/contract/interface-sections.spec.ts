import { globSync, readFileSync } from 'node:fs';

const SECTION = String.raw`\d+(?:\.\d+[a-z]?)?`;
const HEADING = new RegExp(`^#{2,3} (Contract|Specification) (${SECTION}): .+$`, 'gm');
/** `contract 3.1, 3.2, 3.4`, `specification 4.1–4.5`, `contract 3.5 and 8`. */
const CITATION = new RegExp(
  String.raw`\b(contract|specification) (${SECTION}(?:(?:, | and |–)${SECTION}\b)*)`,
  'gi',
);
/** What reads like a citation and is none: `contract section 8`, `S 2.4`, `§ 3`, `the contract's … (1.3)`. */
const OTHER_FORM =
  /\b(?:contract|specification|chapter)(?:'s)? (?:section|chapter|paragraph) \d|\bS \d+\.\d|§ ?\d|\bspec(?:ification)?s? ?\(\d|\bcontract's[^.]*\(\d/gi;

const MARKERS = /\n\s*(?:\*|\/\/)? ?/g;

interface Citation {
  section: string;
  file: string;
}

/** The text of a file with each comment on one line, so that a citation may run over the end of a line. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replace(MARKERS, ' ');

describe('docs/interface.md', () => {
  const files = globSync([
    '{src,test,bench,scripts}/**/*.ts',
    'docs/**/*.md',
    '*.md',
    'deploy/**/*.sql',
  ]).filter((file) => file !== 'docs/interface.md' && !file.endsWith('interface-sections.spec.ts'));
  const headings = Array.from(
    readFileSync('docs/interface.md', 'utf8').matchAll(HEADING),
    ([, series = '', section]) => `${series.toLowerCase()} ${section}`,
  );
  const citations = files.flatMap((file) =>
    Array.from(textOf(file).matchAll(CITATION)).flatMap(([, series = '', sections = '']) =>
      Array.from(sections.matchAll(new RegExp(SECTION, 'g')), ([section]): Citation => ({
        section: `${series.toLowerCase()} ${section}`,
        file,
      })),
    ),
  );

  it('has a heading of its own for each section', () => {
    expect(headings.length).toBeGreaterThan(45);
    expect(headings.filter((heading, index) => headings.indexOf(heading) !== index)).toEqual([]);
  });

  it('has every section that the code, the tests and the documents cite', () => {
    expect(citations.length).toBeGreaterThan(140);
    expect(citations.filter(({ section }) => !headings.includes(section))).toEqual([]);
  });

  it('is cited in one form', () => {
    const others = files.flatMap((file) =>
      Array.from(textOf(file).matchAll(OTHER_FORM), ([text]) => `${file}: ${text}`),
    );
    expect(others).toEqual([]);
  });
});
