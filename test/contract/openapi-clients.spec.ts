import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ServiceProcess } from '../support/service-process';

const run = promisify(execFile);
const tool = (path: string): string => resolve('node_modules', path);

/** Strict, the generated code included: nothing is left out of the check. */
const COMPILER = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2024',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  outDir: 'compiled',
  rootDir: '.',
};

/** Runs two generators and compiles clients of the generated code, for the document of a running service. */
describe('Clients generated from the OpenAPI document', () => {
  let service: ServiceProcess;
  let folder: string;
  /** Compiler errors. */
  let complaints: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-clients-'));
    service = await ServiceProcess.start('sqlite::memory:', {
      DEMO_DATA: 'on',
      CHAT_NOTICES: 'none',
      MEDIA_PROVIDER: 'webrtc',
    });
    const document = await (await fetch(`${service.url}/docs-json`)).text();
    writeFileSync(join(folder, 'document.json'), document);
    for (const client of ['journey.ts', 'typed-fetch.ts'])
      copyFileSync(join('test/clients', client), join(folder, client));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }));
    const node = (...args: string[]) => run(process.execPath, args, { cwd: folder });
    await node(tool('@hey-api/openapi-ts/bin/run.js'), '-i', 'document.json', '-o', 'callboard', '-s');
    await node(tool('openapi-typescript/bin/cli.js'), 'document.json', '-o', 'paths.d.ts');
    complaints = await node(tool('typescript/bin/tsc'), '-p', folder).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the result of an exported function, in a separate process like a user's program. */
  async function answerOf(file: string, name: string, ...args: string[]): Promise<unknown> {
    const script = `require(process.argv[1])[process.argv[2]](...process.argv.slice(3))
      .then((answer) => console.log(JSON.stringify(answer)))`;
    const program = join(folder, 'compiled', file);
    const { stdout } = await run(process.execPath, ['-e', script, '--', program, name, ...args]);
    return JSON.parse(stdout);
  }

  it('compile under strict, and reject wrong types', () => {
    expect(complaints).toBe('');
  });

  it('log in, call, chat and follow events', async () => {
    expect(await answerOf('journey.js', 'journey', service.url)).toEqual({
      call: {
        from: '爱丽丝',
        kind: 'video',
        provider: 'webrtc',
        answeredOn: 'desk',
        refusal: 41_008,
        status: 'ended',
        reason: 'local_hangup',
        endedBy: 'caller',
      },
      chat: {
        isReceived: true,
        unread: 5,
        preview: '你好',
        content: ['text: 你好'],
        pages: 301,
        readBy: 'reader',
      },
      events: ['call.accepted', 'call.ended', 'message.created', 'conversation.read'],
    });
  });

  it('are readable from the types alone', async () => {
    const login = { account: 'alice', password: 'callboard-demo' };
    const response = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    });
    const { data } = (await response.json()) as { data: { access_token: string } };
    expect(await answerOf('typed-fetch.js', 'overview', service.url, data.access_token)).toEqual({
      names: ['鲍勃', '东门门口机', '陈静'],
      isWhole: true,
      calls: [1, 5, 7, 6, 9],
    });
  });
});
