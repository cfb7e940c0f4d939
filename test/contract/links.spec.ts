import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

interface Link {
  file: string;
  target: string;
}

const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6} (.+)$/gm;

/** Returns the anchor that GitHub generates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return Array.from(text.matchAll(HEADING), ([, heading = '']) => anchorOf(heading));
}

describe('The links of the documents', () => {
  const files = globSync('**/*.md', { exclude: (name) => /(?:^|\/)(?:node_modules|dist)$/.test(name) });
  const links = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').replaceAll(CODE, '').matchAll(LINK), ([, target = '']): Link => ({
      file,
      target,
    })).filter(({ target }) => !/^[a-z]+:/i.test(target)),
  );
  const destinationOf = ({ file, target }: Link): { path: string; anchor?: string } => {
    const [path = '', anchor] = target.split('#');
    return { path: path === '' ? file : normalize(join(dirname(file), path)), anchor };
  };

  it('lead to files that exist', () => {
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => !existsSync(destinationOf(link).path))).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const astray = links.filter((link) => {
      const { path, anchor } = destinationOf(link);
      return anchor !== undefined && !(path.endsWith('.md') && anchorsOf(path).includes(anchor));
    });
    expect(astray).toEqual([]);
  });
});
