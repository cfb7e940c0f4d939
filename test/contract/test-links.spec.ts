import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface TestLink {
  path: string;
  title: string;
}

interface Promised {
  /** The section or table row that contains the promise. */
  subject: string;
  text: string;
  tests: TestLink[];
}

/**
 * Documents whose section "Tests" names a test for each promise. `rows`: sections in which each row of a table makes promises.
 * `without`: sections that make none. Every other section is one subject.
 */
const DOCUMENTS: Record<string, { rows: string[]; without: string[] }> = {
  'docs/resilience.md': { rows: ['Failure modes', 'Limits'], without: ['Load test'] },
  'docs/idempotency.md': { rows: [], without: [] },
  'SECURITY.md': { rows: ['Boundaries'], without: ['Reporting a vulnerability', 'Threat model'] },
  'docs/events.md': { rows: [], without: [] },
};

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;

/** The text of each second-level section by its heading. */
function sectionsOf(file: string): Map<string, string> {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const [, ...sections] = text.split(/^## /m);
  return new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')),
      section.slice(section.indexOf('\n') + 1),
    ]),
  );
}

/** The first cell of each row of a section's table. */
function rowsOf(section: string): string[] {
  const [, , ...rows] = section.match(/^\|.*$/gm) ?? [];
  return rows.map((row) => row.split('|')[1]?.trim() ?? '');
}

/** The list of a section "Tests": a subject, and below it an item for each promise, with links to the tests. */
function promisesOf(file: string): Promised[] {
  const [, ...subjects] = sectionsOf(file).get('Tests')?.split(/^- /m) ?? [];
  return subjects.flatMap((entry) => {
    const [subject = '', ...items] = entry.split(/\n {2}- /);
    return items.map((text) => ({
      subject: subject.trim(),
      text: text.trim(),
      tests: Array.from(text.replaceAll(/\s+/g, ' ').matchAll(LINK), ([, title = '', path = '']) => ({
        title,
        path: join(dirname(file), path),
      })),
    }));
  });
}

/** Whether a file has tests or groups of tests with these titles; `›` separates the titles of a group and its test. */
function hasTest({ path, title }: TestLink): boolean {
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return title
    .split(' › ')
    .every((part) => ["'", '"', '`'].some((quote) => text.includes(`${quote}${part}${quote},`)));
}

describe.each(Object.entries(DOCUMENTS))('The test links of %s', (file, { rows, without }) => {
  const promises = promisesOf(file);

  it('cover each section and table row that makes promises, in the same order', () => {
    const subjects = Array.from(sectionsOf(file)).flatMap(([heading, section]) => {
      if (heading === 'Tests' || without.includes(heading)) return [];
      return rows.includes(heading) ? rowsOf(section) : [heading];
    });
    expect([...new Set(promises.map(({ subject }) => subject))]).toEqual(subjects);
  });

  it('name at least one test each', () => {
    expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('name tests that exist, by file and title', () => {
    expect(promises.flatMap(({ tests }) => tests).filter((test) => !hasTest(test))).toEqual([]);
  });
});
