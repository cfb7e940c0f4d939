import { readFileSync } from 'node:fs';

const namesIn = (cell = ''): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

/** The types of the table below "Types" of a document, each with the fields that its row names, in their order of letters. */
export function documentedTypes(file: string): Record<string, string[]> {
  const [, chapter = ''] = readFileSync(file, 'utf8').split('\n## Types\n');
  const [, table = ''] = /((?:^\|.*\n)+)/m.exec(chapter) ?? [];
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1));
  return Object.fromEntries(
    rows.flatMap(([types, , payload]) =>
      namesIn(types).map((type) => [type, namesIn(payload).toSorted()] as const),
    ),
  );
}
