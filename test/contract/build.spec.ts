import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

describe('npm run build', () => {
  let folder: string;
  let programs: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-build-'));
    // The folder that npm searches first.
    programs = join(folder, 'node_modules/.bin');
    for (const created of ['src/deep', 'dist/src', 'node_modules/.bin'])
      mkdirSync(join(folder, created), { recursive: true });
    writeFileSync(join(folder, 'src/deep/a.ts'), '');
    // The compiled service, which the build bundles.
    writeFileSync(join(folder, 'dist/src/main.js'), '');
    writeFileSync(join(programs, 'nest'), '#!/bin/sh\necho $* >> builds\n', { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const build = (): string => {
    execFileSync(process.execPath, [join(process.cwd(), 'scripts/build.mjs')], {
      cwd: folder,
      env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
    });
    return readFileSync(join(folder, 'builds'), 'utf8');
  };

  it('compiles the first time, and again after a change', () => {
    expect(build()).toBe('build\n');
    expect(build()).toBe('build\n');
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'src/deep/a.ts'), later, later);
    expect(build()).toBe('build\nbuild\n');
  });

  it('compiles again after a source was added or removed', () => {
    expect(build()).toBe('build\n');
    const before = new Date(0);
    writeFileSync(join(folder, 'src/b.ts'), '');
    utimesSync(join(folder, 'src/b.ts'), before, before);
    expect(build()).toBe('build\nbuild\n');
    rmSync(join(folder, 'src/b.ts'));
    expect(build()).toBe('build\nbuild\nbuild\n');
  });

  it('compiles again if a file changed during the build', () => {
    writeFileSync(join(programs, 'nest'), '#!/bin/sh\necho $* >> builds\ntouch src/deep/a.ts\n');
    expect(build()).toBe('build\n');
    expect(build()).toBe('build\nbuild\n');
  });
});
