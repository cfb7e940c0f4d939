import { globSync, readFileSync } from 'node:fs';

const SECTION = String.raw`\d+(?:\.\d+)?`;
const HEADING = new RegExp(`^(#{1,2}) (${SECTION}) .+$`, 'gm');
/** `API 5.5`, `API 14.7, 14.8`, `API 4.1 and 4.2`. */
const CITATION = new RegExp(String.raw`\bAPI (${SECTION}(?:(?:, | and )${SECTION}\b)*)`, 'g');
/** The former citations, and other forms. */
const OTHER_FORM =
  /\b(?:contract|specification|chapter|API)(?:'s)? (?:section|chapter|paragraph) \d|\b(?:contract|specification)s? \d|§ ?\d/gi;
const ORIGINAL = /`(\w+ \/api[^`]*)` \(original\)/g;

const MARKERS = /\n\s*(?:\*|\/\/)? ?/g;

/** Returns the text of a file with each comment on one line, because a citation may be wrapped. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replace(MARKERS, ' ');

describe('docs/api', () => {
  const rules = globSync('docs/api/*.md').filter((file) => !file.endsWith('README.md'));
  const files = globSync([
    '{src,test,bench,scripts,packages,web}/**/*.{ts,tsx}',
    'docs/**/*.md',
    '*.md',
    'deploy/**/*.sql',
  ]).filter((file) => !/node_modules|api-sections\.spec\.ts$/.test(file));
  const headingsOf = (file: string): string[] =>
    Array.from(readFileSync(file, 'utf8').matchAll(HEADING), ([, , section = '']) => section);
  const sections = new Set(rules.flatMap(headingsOf));
  const citations = files.flatMap((file) =>
    Array.from(textOf(file).matchAll(CITATION)).flatMap(([, cited = '']) =>
      Array.from(cited.matchAll(new RegExp(SECTION, 'g')), ([section]) => ({ section, file })),
    ),
  );

  it('numbers chapters and sections without gaps', () => {
    const chapters = rules.map((file) => headingsOf(file)).toSorted(([a], [b]) => Number(a) - Number(b));
    expect(chapters.length).toBeGreaterThan(10);
    const expected = chapters.map((chapter, index) => [
      `${index + 1}`,
      ...chapter.slice(1).map((_, at) => `${index + 1}.${at + 1}`),
    ]);
    expect(chapters).toEqual(expected);
  });

  it('lists its chapters in README.md', () => {
    const rows = readFileSync('docs/api/README.md', 'utf8').matchAll(
      /^\| +(\d+) \| \[[^\]]+\]\(([\w-]+\.md)\)/gm,
    );
    const listed = Array.from(rows, ([, number, file]) => [`docs/api/${file}`, number]);
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(rules.map((file) => [file, headingsOf(file)[0]])),
    );
  });

  it('has every section that the code, the tests and the documents cite', () => {
    expect(citations.length).toBeGreaterThan(300);
    expect(citations.filter(({ section }) => !sections.has(section))).toEqual([]);
  });

  it('is cited in one form', () => {
    const others = files.flatMap((file) =>
      Array.from(textOf(file).matchAll(OTHER_FORM), ([text]) => `${file}: ${text}`),
    );
    expect(others).toEqual([]);
  });

  it('marks the fifteen original operations', () => {
    const marked = rules.flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(ORIGINAL), ([, operation = '']) => operation),
    );
    expect(marked.toSorted()).toEqual([
      'GET /api/admin/device-groups',
      'GET /api/admin/device-groups/tree',
      'GET /api/messages/conversations',
      'GET /api/messages/conversations/{id}/messages',
      'GET /api/notifications',
      'GET /api/notifications/unread-count',
      'POST /api/admin/device-groups',
      'POST /api/admin/device-groups/{id}/devices',
      'POST /api/calls/{callId}/accept',
      'POST /api/calls/{callId}/cancel',
      'POST /api/calls/{callId}/hangup',
      'POST /api/calls/{callId}/media-state',
      'POST /api/calls/{callId}/reject',
      'PUT /api/notifications/all/read',
      'PUT /api/notifications/{id}/read',
    ]);
  });
});
