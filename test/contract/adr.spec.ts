import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const FOLDER = 'docs/adr';
const FILE = /^ADR-\d{8}-[a-z0-9]+(?:-[a-z0-9]+)+\.md$/;
/** `Accepted`, perhaps `, continued by [title](file)`; or `Superseded by [title](file)`. */
const STATUS =
  /^Status: (?:Accepted(?:, continued by \[[^\]]+\]\((?<next>[^)]+)\))?|Superseded by \[[^\]]+\]\((?<successor>[^)]+)\))$/m;

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/['’`,.:]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

interface Decision {
  file: string;
  text: string;
  title: string;
  /** The third line. */
  status: string;
  /** The decision that goes on from this one, or stands in its place. */
  next?: string;
}

function readDecision(file: string): Decision {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const [title = '', , status = ''] = text.split('\n');
  const { next, successor } = STATUS.exec(status)?.groups ?? {};
  return { file, text, title: title.replace(/^# /, ''), status, next: successor ?? next };
}

describe('A decision', () => {
  const decisions = globSync(`${FOLDER}/ADR-*`)
    .toSorted()
    .map((path) => readDecision(basename(path)));
  const filesOf = (wrong: (decision: Decision) => boolean): string[] =>
    decisions.filter(wrong).map(({ file }) => file);

  it('is a file named by its day and itself', () => {
    expect(decisions.length).toBeGreaterThan(40);
    expect(filesOf(({ file }) => !FILE.test(file))).toEqual([]);
  });

  it('has itself as its title, which the name of the file may shorten at the end', () => {
    const nameOf = (file: string): string => file.slice('ADR-20261120-'.length, -'.md'.length);
    expect(filesOf(({ file, title }) => !`${slugOf(title)}-`.startsWith(`${nameOf(file)}-`))).toEqual([]);
  });

  it('says below its title whether it holds', () => {
    expect(filesOf(({ status }) => !STATUS.test(status))).toEqual([]);
  });

  it('is linked from the one that goes on from it or stands in its place', () => {
    const textOf = new Map(decisions.map(({ file, text }) => [file, text]));
    const isUnanswered = ({ file, next }: Decision): boolean =>
      next !== undefined && !textOf.get(next)?.includes(`](${file})`);
    expect(filesOf(isUnanswered)).toEqual([]);
  });

  it('is listed by its title in the index, once', () => {
    const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
    const listed = Array.from(index.matchAll(/^- \[(.+)\]\((ADR-.+)\)/gm), ([, title, file]) => ({
      title,
      file,
    }));
    const inOrder = listed.toSorted((a, b) => ((a.file ?? '') < (b.file ?? '') ? -1 : 1));
    expect(inOrder).toEqual(decisions.map(({ title, file }) => ({ title, file })));
  });
});
