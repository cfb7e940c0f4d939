import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Which other modules each module may know. `common`, `config`, `database` and `redis` are open to all. */
const ARROWS: Record<string, string[]> = {
  calls: ['notifications', 'events', 'identity'],
  messaging: ['events', 'identity'],
  notifications: ['events', 'identity'],
  'device-groups': [],
  events: ['identity'],
  identity: [],
  operations: [],
  docs: [],
  demo: ['identity', 'device-groups'],
};
const GROUND = new Set(['common', 'config', 'database', 'redis']);

interface Import {
  file: string;
  from: string;
  to: string;
  target: string;
}

function importsBetweenModules(): Import[] {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
  return files.flatMap((file) => {
    const paths = Array.from(
      readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g),
      ([, path]) => path ?? '',
    );
    const from = file.split('/')[1] ?? '';
    return paths
      .map((path) => normalize(join(dirname(file), path)))
      .map((target) => ({ file, from, to: target.split('/')[1] ?? '', target }))
      .filter(({ to }) => to !== from);
  });
}

describe('Modules', () => {
  const crossings = importsBetweenModules().filter(({ from }) => from in ARROWS);

  it('know only the modules their arrows point at', () => {
    const strays = crossings.filter(({ from, to }) => !GROUND.has(to) && !ARROWS[from]?.includes(to));
    expect(strays).toEqual([]);
  });

  it('keep their entities to themselves', () => {
    expect(crossings.filter(({ target }) => target.includes('/entities/'))).toEqual([]);
  });

  it('leave the common ground without a feature of its own', () => {
    const upwards = importsBetweenModules().filter(
      ({ from, to, file }) => GROUND.has(from) && !GROUND.has(to) && file !== 'src/database/entities.ts',
    );
    expect(upwards).toEqual([]);
  });

  it('never patch a cycle with forwardRef', () => {
    const files = globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('forwardRef'));
    expect(files).toEqual([]);
  });
});
