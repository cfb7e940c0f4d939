import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

describe('scripts/build-if-changed.js', () => {
  let folder: string;
  let programs: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-build-'));
    // The folder that npm searches first.
    programs = join(folder, 'node_modules/.bin');
    for (const created of ['src/deep', 'dist/src', 'node_modules/.bin'])
      mkdirSync(join(folder, created), { recursive: true });
    const build = `${process.execPath} ${join(process.cwd(), 'scripts/build.mjs')}`;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { build } }));
    writeFileSync(join(folder, 'src/deep/a.ts'), '');
    // The compiled service, which the build bundles.
    writeFileSync(join(folder, 'dist/src/main.js'), '');
    writeFileSync(join(programs, 'nest'), '#!/bin/sh\necho $* >> builds\n', { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (script: string): string => {
    execFileSync(process.execPath, [join(process.cwd(), 'scripts', script)], {
      cwd: folder,
      env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
    });
    return readFileSync(join(folder, 'builds'), 'utf8');
  };
  const touch = (file: string, moment: number): void =>
    utimesSync(join(folder, file), new Date(moment), new Date(moment));

  it('builds the first time, and again after a change', () => {
    expect(run('build-if-changed.js')).toBe('build\n');
    expect(run('build-if-changed.js')).toBe('build\n');
    touch('src/deep/a.ts', Date.now() + 60_000);
    expect(run('build-if-changed.js')).toBe('build\nbuild\n');
  });

  it('treats the builds of npm start and npm run build as current', () => {
    expect(run('build.mjs')).toBe('build\n');
    expect(run('build-if-changed.js')).toBe('build\n');
  });

  it('builds again if a file changed during the build', () => {
    writeFileSync(join(programs, 'nest'), '#!/bin/sh\necho $* >> builds\ntouch src/deep/a.ts\n');
    expect(run('build.mjs')).toBe('build\n');
    expect(run('build-if-changed.js')).toBe('build\nbuild\n');
  });
});
