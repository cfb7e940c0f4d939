import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('scripts/build-if-changed.js', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-build-'));
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    const build = `node -e "require('node:fs').appendFileSync('builds', 'x')"`;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { build } }));
    writeFileSync(join(folder, 'src/deep/a.ts'), '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (): string => {
    execFileSync(process.execPath, [join(process.cwd(), 'scripts/build-if-changed.js')], { cwd: folder });
    return readFileSync(join(folder, 'builds'), 'utf8');
  };

  it('builds the first time, and then when something has changed', () => {
    expect(run()).toBe('x');
    expect(run()).toBe('x');
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'src/deep/a.ts'), later, later);
    expect(run()).toBe('xx');
  });
});
