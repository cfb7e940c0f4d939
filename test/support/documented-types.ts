import { readFileSync } from 'node:fs';

const namesIn = (cell = ''): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

/** Returns the types in the table below "Types" or "Event types" of a document, each with the sorted names of its fields. */
export function documentedTypes(file: string): Record<string, string[]> {
  const [, chapter = ''] = readFileSync(file, 'utf8').split(/\n## (?:Event types|Types)\n/);
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
