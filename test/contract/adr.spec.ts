import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const FOLDER = 'docs/adr';
const INDEX = 'README.md';
const FILE = /^(?<number>\d{4})-(?<name>[a-z0-9]+(?:-[a-z0-9]+)+)\.md$/;
const MAX_TITLE_LENGTH = 60;
/** Shorter words, such as articles and prepositions, may be missing in the file name. */
const MIN_WORD_LENGTH = 4;
/** `Accepted`, optionally `, continued by [title](file)`; or `Superseded by [title](file)`. */
const STATUS =
  /^Status: (?:Accepted(?:, continued by \[[^\]]+\]\((?<next>[^)]+)\))?|Superseded by \[[^\]]+\]\((?<successor>[^)]+)\))$/;

interface Decision {
  file: string;
  text: string;
  title: string;
  /** The third line. */
  status: string;
  /** The decision that continues or supersedes this one. */
  next?: string;
}

function readDecision(file: string): Decision {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const [title = '', , status = ''] = text.split('\n');
  const { next, successor } = STATUS.exec(status)?.groups ?? {};
  return { file, text, title: title.replace(/^# /, ''), status, next: successor ?? next };
}

const countRows = (file: string): string => FILE.exec(file)?.groups?.number ?? file;

/** Returns the words of a title as they are spelled in a file name, without the short ones. */
const wordsOf = (title: string): string[] =>
  title
    .toLowerCase()
    .replaceAll(/['’`,.:;]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= MIN_WORD_LENGTH);

describe('The decisions in docs/adr', () => {
  const decisions = globSync(`${FOLDER}/*.md`)
    .map((path) => basename(path))
    .filter((file) => file !== INDEX)
    .toSorted()
    .map(readDecision);
  const filesOf = (isWrong: (decision: Decision) => boolean): string[] =>
    decisions.filter(isWrong).map(({ file }) => file);

  it('have file names of the form NNNN-short-title.md', () => {
    expect(decisions.length).toBeGreaterThan(40);
    expect(filesOf(({ file }) => !FILE.test(file))).toEqual([]);
  });

  it('have unique numbers', () => {
    const files = decisions.map(({ file }) => file);
    const isTaken = (file: string): boolean =>
      files.some((other) => other !== file && countRows(other) === countRows(file));
    expect(files.filter(isTaken)).toEqual([]);
  });

  it(`have titles of at most ${MAX_TITLE_LENGTH} characters`, () => {
    expect(filesOf(({ title }) => title === '' || title.length > MAX_TITLE_LENGTH)).toEqual([]);
  });

  it('have the words of their title in their file name', () => {
    const lacksWord = ({ file, title }: Decision): boolean => {
      const named = new Set(FILE.exec(file)?.groups?.name?.split('-'));
      return wordsOf(title).some((word) => !named.has(word));
    };
    expect(filesOf(lacksWord)).toEqual([]);
  });

  it('state in their third line whether they are accepted or superseded', () => {
    expect(filesOf(({ status }) => !STATUS.test(status))).toEqual([]);
  });

  it('link back to a decision that they continue or supersede', () => {
    const textOf = new Map(decisions.map(({ file, text }) => [file, text]));
    const isUnanswered = ({ file, next }: Decision): boolean =>
      next !== undefined && !textOf.get(next)?.includes(`](${file})`);
    expect(filesOf(isUnanswered)).toEqual([]);
  });

  it('are each listed once in the index, with number and title', () => {
    const index = readFileSync(`${FOLDER}/${INDEX}`, 'utf8');
    const listed = Array.from(
      index.matchAll(/^- (\d{4}) \[(.+)\]\(([^)]+)\)$/gm),
      ([, number, title, file]) => ({
        number,
        title,
        file,
      }),
    );
    const inOrder = listed.toSorted((a, b) => ((a.file ?? '') < (b.file ?? '') ? -1 : 1));
    const expected = decisions.map(({ file, title }) => ({ number: countRows(file), title, file }));
    expect(inOrder).toEqual(expected);
  });
});
