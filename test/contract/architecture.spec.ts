import { globSync, readdirSync, readFileSync } from 'node:fs';

/* The module sections of docs/architecture.md, compared with the folders of `src`. */

interface Module {
  tables: string[];
  jobs: string[];
}

const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name).toSorted();

/** Returns the names in a list item of a section, such as `- **Tables:** …`. */
function namesIn(section: string, item: string): string[] {
  const [, text = ''] = new RegExp(`^- \\*\\*${item}:\\*\\*(.*(?:\\n {2}.*)*)`, 'm').exec(section) ?? [];
  return matches(text, /`(\w+)`/g);
}

function documentedModules(): Record<string, Module> {
  const [, ...sections] = readFileSync('docs/architecture.md', 'utf8').split(/^### `/m);
  return Object.fromEntries(
    sections.map((section) => [
      section.slice(0, section.indexOf('`')),
      { tables: namesIn(section, 'Tables'), jobs: namesIn(section, 'Jobs') },
    ]),
  );
}

function realModule(folder: string): Module {
  const source = globSync(`src/${folder}/**/*.ts`)
    .filter((file) => !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return {
    tables: matches(source, /@Entity\('(\w+)'/g),
    jobs: matches(source, /(?:new PeriodicJob\(this, |@Periodic\()\{\s*name: '(\w+)'/g),
  };
}

describe('docs/architecture.md', () => {
  const folders = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  it('has a section for every folder of src and for no other', () => {
    expect(Object.keys(documentedModules()).toSorted()).toEqual(folders.toSorted());
  });

  it.each(folders)('lists the tables and jobs of %s', (folder) => {
    expect(documentedModules()[folder]).toEqual(realModule(folder));
  });
});
