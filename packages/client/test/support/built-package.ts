import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The package as `npm pack` builds it, installed in an empty project. */
export class BuiltPackage {
  private constructor(
    /** Folder of the project. Its `node_modules` contains only the package. */
    readonly project: string,
    readonly tarball: string,
  ) {}

  static async make(): Promise<BuiltPackage> {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-client-'));
    // Built in a copy, so that concurrent tests do not overwrite each other's output.
    const source = join(folder, 'source');
    mkdirSync(source);
    for (const part of [
      'package.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'tsconfig.types.json',
      'README.md',
      'LICENSE',
      'src',
    ])
      cpSync(join('packages/client', part), join(source, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const tsc = resolve('node_modules/typescript/bin/tsc');
    // The comments of declarations are documentation; those of the code would only make the package larger.
    for (const project of ['tsconfig.build.json', 'tsconfig.types.json'])
      await run(process.execPath, [tsc, '-p', join(source, project)]);
    const pack = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: source,
    });
    const [{ filename }] = JSON.parse(pack.stdout) as [{ filename: string }];
    const tarball = join(folder, filename);
    const project = mkdtempSync(join(tmpdir(), 'callboard-project-'));
    const installed = join(project, 'node_modules/@callboard/client');
    mkdirSync(installed, { recursive: true });
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
    rmSync(source, { recursive: true });
    return new BuiltPackage(project, tarball);
  }

  /** Folder of the package's compiled files. */
  get dist(): string {
    return join(this.project, 'node_modules/@callboard/client/dist');
  }

  remove(): void {
    rmSync(this.project, { recursive: true, force: true });
    rmSync(join(this.tarball, '..'), { recursive: true, force: true });
  }
}
