import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/* Checks the rules of docs/architecture.md for modules, layers, sizes and names against the files. */

/** Shared folders from the bottom up: each may import only those before it. */
const BASE_FOLDERS = [
  'config',
  'workers',
  'common',
  'openapi',
  'outbound',
  'redis',
  'rate-limit',
  'database',
];

/** The layers within a module, from the bottom up. The folder of a file, or the role at the end of its name, is its layer. */
const LAYERS = ['rules', 'store', 'views', 'events', 'services', 'controllers'];
const LAYER_BY_ROLE = new Map([
  ...LAYERS.map((layer, index): [string, number] => [layer, index]),
  ['service', LAYERS.indexOf('services')],
  ['job', LAYERS.indexOf('services')],
  ['controller', LAYERS.indexOf('controllers')],
]);

/** SQL in a text. */
const SQL = /['"`\s(](SELECT [\w(*'${}.]|INSERT INTO |UPDATE \w+ .*SET |DELETE FROM )/;
/** A call of an entity manager's method, or of `database/sql/statements.ts`. */
const DATABASE_CALL =
  /\b(em|manager|read\(\))\.(query|find|save|insert|update|upsert|delete|remove|exists|count|sum|average|maximum|minimum|increment|decrement)\w*[<(]|sql\/statements'/;

/** An exported declaration. Overloads are declared several times. */
const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm;

const MAX_FILES = 25;
const MAX_LINES = 300;
const MAX_DEPENDENCIES = 5;

const sources = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

interface Import {
  file: string;
  /** The imported file, without its extension. */
  target: string;
}

const imports: Import[] = sources.flatMap(({ file, text }) =>
  Array.from(text.matchAll(/from '(\.[^']+)'/g), ([, path = '']) => ({
    file,
    target: normalize(join(dirname(file), path)),
  })),
);

/** Dependencies between features in the diagram of docs/architecture.md, as `from → to`. */
function documentedArrows(): string[] {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const diagram = /subgraph features\n([\s\S]*?)\n {2}end/.exec(text)?.[1] ?? '';
  const labels = new Map(
    Array.from(diagram.matchAll(/(\w+)\[([\w-]+)\]/g), ([, id = '', label = '']) => [id, label]),
  );
  const namesOf = (side = ''): string[] =>
    side.split('&').map((part) => {
      const id = part.trim().replace(/\[.*/, '');
      return labels.get(id) ?? id;
    });
  return diagram.split('\n').flatMap((line) => {
    const [from, to] = line.split('-->');
    return to === undefined
      ? []
      : namesOf(from).flatMap((name) => namesOf(to).map((other) => `${name} → ${other}`));
  });
}

const moduleOf = (path: string): string => path.split('/')[1] ?? '';
const crossings = imports.filter(
  ({ file, target }) => target.startsWith('src/') && moduleOf(file) !== moduleOf(target),
);
/** Whether a folder of `src` is a feature: neither a shared folder nor a file that starts the service. */
const isFeature = (name: string): boolean => !name.endsWith('.ts') && !BASE_FOLDERS.includes(name);
const toText = ({ file, target }: Import): string => `${file} → ${target}`;

/** Returns the import cycles, each as a list of files that ends with the first one. */
function cyclesOf(importsByFile: Map<string, Import[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) cycles.push([...way.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const { target } of importsByFile.get(file) ?? []) visit(`${target}.ts`, [...way, file]);
    done.add(file);
  };
  for (const file of importsByFile.keys()) visit(file, []);
  return cycles;
}

/** Returns the layer of a file within its module; undefined for the module file, DTOs and entities. */
function layerOf(path: string): number | undefined {
  const [, , folder = ''] = path.split('/');
  const name = basename(path, '.ts');
  if (LAYERS.includes(folder) && path.split('/').length > 3) return LAYERS.indexOf(folder);
  const role = /\.(\w+)$/.exec(name)?.[1];
  return role === undefined ? undefined : LAYER_BY_ROLE.get(role);
}

describe('The base folders', () => {
  it('knows no module above it', () => {
    const upwards = crossings.filter(
      ({ file, target }) => BASE_FOLDERS.includes(moduleOf(file)) && !BASE_FOLDERS.includes(moduleOf(target)),
    );
    expect(upwards.map(toText)).toEqual([]);
  });

  it('follow the order config < workers < common < openapi < outbound < redis < rate-limit < database', () => {
    const upwards = crossings.filter(
      ({ file, target }) =>
        BASE_FOLDERS.includes(moduleOf(file)) &&
        BASE_FOLDERS.indexOf(moduleOf(target)) > BASE_FOLDERS.indexOf(moduleOf(file)),
    );
    expect(upwards.map(toText)).toEqual([]);
  });
});

describe('Files', () => {
  it('import each other in no cycle, types included', () => {
    expect(cyclesOf(Map.groupBy(imports, ({ file }) => file))).toEqual([]);
  });
});

describe('Migrations', () => {
  it('import nothing that may change after they are released', () => {
    const strays = imports.filter(
      ({ file, target }) =>
        file.startsWith('src/database/migrations/') && dirname(target) !== 'src/database/migrations',
    );
    expect(strays.map(toText)).toEqual([]);
  });
});

describe('Modules', () => {
  const features = new Set(sources.map(({ file }) => moduleOf(file)).filter((name) => isFeature(name)));
  const own = crossings.filter(({ file }) => features.has(moduleOf(file)));

  it('import exactly the modules to which the diagram in docs/architecture.md has arrows', () => {
    const used = own
      .filter(({ target }) => !BASE_FOLDERS.includes(moduleOf(target)))
      .map(({ file, target }) => `${moduleOf(file)} → ${moduleOf(target)}`);
    expect([...new Set(used)].toSorted()).toEqual(documentedArrows().toSorted());
  });

  it('do not export their entities', () => {
    expect(own.filter(({ target }) => target.includes('/entities/')).map(toText)).toEqual([]);
  });

  it('never use forwardRef', () => {
    expect(sources.filter(({ text }) => text.includes('forwardRef')).map(({ file }) => file)).toEqual([]);
  });
});

describe('Layers', () => {
  it('depend in one direction: rules < store < views < events < services < controllers', () => {
    const upwards = imports.filter(({ file, target }) => {
      const [from, to] = [layerOf(file), layerOf(target)];
      return moduleOf(file) === moduleOf(target) && from !== undefined && to !== undefined && to > from;
    });
    expect(upwards.map(toText)).toEqual([]);
  });

  it('keep the rules free of framework and database', () => {
    const impure = sources.filter(
      ({ file, text }) => file.includes('/rules/') && /from '(@nestjs|typeorm|fastify)/.test(text),
    );
    expect(impure.map(({ file }) => file)).toEqual([]);
  });

  it('use the database only in *.store.ts, events/log/ and database/', () => {
    const strays = sources
      .filter(({ file }) => !/^src\/(database\/|events\/log\/)|\.store\.ts$/.test(file))
      .filter(({ text }) => {
        const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
        return SQL.test(code) || DATABASE_CALL.test(code);
      });
    expect(strays.map(({ file }) => file)).toEqual([]);
  });

  it('use no query builder and no repository', () => {
    const users = sources.filter(
      ({ file, text }) =>
        !file.startsWith('src/database/migrations/') &&
        /createQueryBuilder|getRepository|InjectRepository|TypeOrmModule\.forFeature/.test(text),
    );
    expect(users.map(({ file }) => file)).toEqual([]);
  });

  it('get the database from Transactions, not a DataSource', () => {
    const users = sources.filter(
      ({ file, text }) => !/^src\/(database|events\/log)\//.test(file) && /\bDataSource\b/.test(text),
    );
    expect(users.map(({ file }) => file)).toEqual([]);
  });
});

describe('Sizes', () => {
  it(`have at most ${MAX_FILES} files in a folder, not counting specs, DTOs and entities`, () => {
    const pages = globSync(['web/src/**/*.{ts,tsx}', 'packages/client/src/**/*.ts']).map((file) => ({
      file,
    }));
    const folders = Map.groupBy([...sources, ...pages], ({ file }) => dirname(file));
    const large = [...folders].filter(
      ([folder, files]) => !/\/(dto|entities|migrations)$/.test(folder) && files.length > MAX_FILES,
    );
    expect(large.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  it(`have at most ${MAX_LINES} lines in a file`, () => {
    const written = '{src,test,bench,scripts,packages/client/test,packages/client/src}/**/*.ts';
    const long = globSync([written, 'web/src/**/*.{ts,tsx}']).filter(
      (file) => !file.endsWith('.gen.ts') && readFileSync(file, 'utf8').split('\n').length - 1 > MAX_LINES,
    );
    expect(long).toEqual([]);
  });

  it(`have at most ${MAX_DEPENDENCIES} constructor dependencies`, () => {
    const many = sources.filter(({ text }) =>
      Array.from(text.matchAll(/constructor\(([\s\S]*?)\) \{/g), ([, list = '']) => list).some(
        (list) => list.split('\n').filter((line) => /^ {4}\S/.test(line)).length > MAX_DEPENDENCIES,
      ),
    );
    expect(many.map(({ file }) => file)).toEqual([]);
  });
});

describe('Names', () => {
  it('are exported by only one file of src', () => {
    const files = new Map<string, string[]>();
    for (const { file, text } of sources)
      for (const [, name = ''] of text.matchAll(EXPORT)) files.set(name, [...(files.get(name) ?? []), file]);
    expect(files.size).toBeGreaterThan(1_000);
    const shared = [...files].filter(([, exporters]) => new Set(exporters).size > 1);
    expect(shared).toEqual([]);
  });

  it('of DTO classes end in Request, Query or Response', () => {
    const odd = sources
      .filter(({ file }) => file.includes('/dto/'))
      .flatMap(({ text }) =>
        Array.from(text.matchAll(/^export (?:abstract )?class (\w+)/gm), ([, name]) => name),
      )
      .filter((name) => !/(Request|Query|Response)$/.test(name ?? ''));
    expect(odd).toEqual([]);
  });

  it('of classes in .service.ts end in Service', () => {
    const odd = sources.filter(
      ({ file, text }) =>
        file.endsWith('.service.ts') && !/@Injectable\(\)\nexport class \w+Service\b/.test(text),
    );
    expect(odd.map(({ file }) => file)).toEqual([]);
  });
});
