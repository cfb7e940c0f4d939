import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { ServiceProcess } from '../../../test/support/service-process.js';
import { eventually } from '../../../test/support/waiting.js';
import { BuiltPackage } from './support/built-package.js';
import { EXAMPLES, exampleOf } from './support/readme.js';

const run = promisify(execFile);

const COMPILER = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: false,
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  noEmit: true,
};

/** Globals that the README's examples use. */
const PAGE = `declare global {
  const account: string, password: string, calleeId: number;
  const remoteVideo: HTMLVideoElement, stateText: HTMLElement;
  const callButton: HTMLElement, answerButton: HTMLElement, hangUpButton: HTMLElement, muteButton: HTMLElement;
}
export {};`;

/** The package as `npm pack` builds it, in a project without other packages. */
describe('The packed package', () => {
  let built: BuiltPackage;
  let service: ServiceProcess;
  let storage: string;
  beforeAll(async () => {
    storage = mkdtempSync(join(tmpdir(), 'callboard-files-'));
    const env = { DEMO_DATA: 'on', MEDIA_PROVIDER: 'webrtc', ATTACHMENT_STORAGE: `file:${storage}` };
    [built, service] = await Promise.all([BuiltPackage.make(), ServiceProcess.start('sqlite::memory:', env)]);
    writeFileSync(join(built.project, 'package.json'), '{ "type": "module" }');
  });
  afterAll(async () => {
    await service?.stop();
    built?.remove();
    rmSync(storage, { recursive: true, force: true });
  });

  /** Compiles files in the project. Returns the compiler's messages. */
  async function complaintsOf(files: Record<string, string>, options: object): Promise<string> {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(built.project, name), code);
    const compilerOptions = { ...COMPILER, ...options };
    writeFileSync(
      join(built.project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: Object.keys(files) }),
    );
    const tsc = resolve('node_modules/typescript/bin/tsc');
    return run(process.execPath, [tsc, '-p', built.project]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  /** Runs code in the project, against the test's service, until it has printed the expected lines, or ends. Returns the lines. */
  async function printedBy(code: string, isAll: (lines: string[]) => boolean): Promise<string[]> {
    const file = join(built.project, 'program.mjs');
    writeFileSync(file, code.replaceAll('https://callboard.example', service.url));
    const program = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    createInterface({ input: program.stdout }).on('line', (line) => lines.push(line));
    let isOver = false;
    program.once('close', () => (isOver = true));
    try {
      return await eventually(
        async () => [...lines],
        (printed) => isOver || isAll(printed),
      );
    } finally {
      program.kill();
    }
  }

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: join(built.dist, '..'), pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('has types that resolve, for ES modules and bundlers', async () => {
    const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(built.tarball)));
    const { problems } = (await checkPackage(tarball)) as {
      problems: { kind: string; resolutionKind?: string }[];
    };
    const others = problems.filter(
      // Node before 2019 does not support `exports`, and CommonJS can load the package with `require(esm)` of Node 22.
      ({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10',
    );
    expect(others).toEqual([]);
  });

  it('is smaller than 120 kB and has no dependencies', () => {
    expect(statSync(built.tarball).size).toBeLessThan(120_000);
    const manifest = JSON.parse(readFileSync(join(built.dist, '../package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
    expect(existsSync(join(built.dist, '../src'))).toBe(false);
  });

  it('compiles under strict with all examples of its README', async () => {
    const files = Object.fromEntries(EXAMPLES.map(([name, code]) => [`${name}.ts`, code]));
    expect(Object.keys(files)).toEqual([
      'sign-in.ts',
      'restore.ts',
      'chat.ts',
      'files.ts',
      'call.ts',
      'providers.ts',
      'operations.ts',
      'events.ts',
    ]);
    for (const library of ['agora-rtc-sdk-ng', 'livekit-client', '@livekit', '@bufbuild'])
      if (!existsSync(join(built.project, 'node_modules', library)))
        symlinkSync(resolve('node_modules', library), join(built.project, 'node_modules', library));
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    expect(await complaintsOf({ ...files, 'page.d.ts': PAGE }, { lib, types: [], skipLibCheck: true })).toBe(
      '',
    );
  });

  it('compiles with the types of Node and without those of a browser', async () => {
    mkdirSync(join(built.project, 'node_modules/@types'), { recursive: true });
    const link = join(built.project, 'node_modules/@types/node');
    if (!existsSync(link)) symlinkSync(resolve('node_modules/@types/node'), link);
    const code = exampleOf('chat');
    expect(await complaintsOf({ 'chat.ts': code }, { lib: ['es2022'], types: ['node'] })).toBe('');
    const mistaken = code.replace('peer_id: 3', "peer_id: 'bob'");
    expect(await complaintsOf({ 'chat.ts': mistaken }, { lib: ['es2022'], types: ['node'] })).toContain(
      "Type 'string' is not assignable to type 'number'",
    );
  });

  it('runs the sign-in example', async () => {
    expect(await printedBy(exampleOf('sign-in'), (lines) => lines.length > 0)).toEqual(['Hello 爱丽丝']);
  });

  it('runs the chat example: the list, messages with their read state, and sending', async () => {
    const shown = [/^鲍勃 \(\d+\): /, /^… hello $/, /^✓ hello$/, /^✓✓ /];
    const printed = await printedBy(exampleOf('chat'), (lines) =>
      shown.every((pattern) => lines.some((line) => pattern.test(line))),
    );
    for (const pattern of shown) expect(printed).toContainEqual(expect.stringMatching(pattern));
  });

  it('runs the files example: uploads, sends, downloads and finds a file', async () => {
    const printed = await printedBy(exampleOf('files'), (lines) => lines.length > 3);
    expect(printed).toEqual([
      '0 of 22 bytes',
      '22 of 22 bytes',
      expect.stringMatching(/^note\.txt http:\/\/localhost:\d+\/files\/\d+\.txt\?expires=\d+&signature=\S+$/),
      "[ 'note.txt' ]",
    ]);
  });

  it('runs the operations example: prints the reason of a rejected call', async () => {
    const place = exampleOf('operations').replace('callee_id: 3', 'callee_id: 2');
    expect(await printedBy(place, (lines) => lines.length > 0)).toEqual([
      expect.stringMatching(/^This user cannot be called \S+ undefined$/),
    ]);
  });

  it('runs the events example', async () => {
    const [count, ...states] = await printedBy(exampleOf('events'), (lines) => lines.includes('live'));
    expect(count).toMatch(/^\d+ conversations$/);
    expect(states).toEqual(['connecting', 'live']);
  });
});
