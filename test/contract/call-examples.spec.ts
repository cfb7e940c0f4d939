import { join } from 'node:path';
import ts from 'typescript';
import { exampleOf } from '../support/call-examples';

/* The code in docs/calls.md by which clients join the media; that of the built-in provider runs in test/browser. */

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
};

/** Returns the compiler errors of a piece of code in docs/. */
function problemsOf(code: string): string[] {
  const file = join(process.cwd(), 'docs/example.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2024) : getSourceFile(name, ...rest);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file], OPTIONS, host));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Runs an example with replaced imports and returns its exports. */
function exportsOf(
  code: string,
  modules: Record<string, object>,
): Record<string, (...args: unknown[]) => unknown> {
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2024,
    esModuleInterop: true,
  };
  const { outputText } = ts.transpileModule(code, { compilerOptions });
  const exported = {};
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the example is our own
  const run = new Function('exports', 'require', outputText) as (exported: object, require: unknown) => void;
  run(exported, (name: string) => modules[name]);
  return exported;
}

const ANSWER = {
  app_id: 'a'.repeat(32),
  channel_name: 'call-1',
  rtc_token: '007eJ',
  callee_uid: '2882341273',
};

describe('The code in docs/calls.md', () => {
  it.each(['agora', 'livekit'])('for %s compiles against the types of its library', (name) => {
    expect(problemsOf(exampleOf('parameters') + exampleOf(name))).toEqual([]);
  });

  it('fails to compile if it contains a wrong name', () => {
    const mistaken = exampleOf('livekit').replace('room.connect(', 'room.connectTo(');
    expect(problemsOf(exampleOf('parameters') + mistaken)).toEqual([
      expect.stringContaining("'connectTo' does not exist"),
    ]);
  });

  it('joins an Agora channel with a numeric uid', async () => {
    const calls: unknown[] = [];
    const client = {
      on: (event: string) => calls.push(['on', event]),
      join: async (...args: unknown[]) => calls.push(['join', ...args]),
      publish: async (tracks: unknown) => calls.push(['publish', tracks]),
    };
    const AgoraRTC = {
      createClient: () => client,
      createMicrophoneAndCameraTracks: async () => ['sound', 'picture'],
    };
    const { joinWithAgora } = exportsOf(exampleOf('agora'), {
      'agora-rtc-sdk-ng': { __esModule: true, default: AgoraRTC },
    });
    await joinWithAgora?.(ANSWER, {});
    expect(calls).toEqual([
      ['on', 'user-published'],
      ['join', 'a'.repeat(32), 'call-1', '007eJ', 2_882_341_273],
      ['publish', ['sound', 'picture']],
    ]);
  });

  it('joins a LiveKit room with only the URL and the token', async () => {
    const calls: unknown[] = [];
    class Room {
      localParticipant = { enableCameraAndMicrophone: async () => calls.push(['enable']) };
      on = (event: string): unknown => calls.push(['on', event]);
      connect = async (...args: unknown[]): Promise<unknown> => calls.push(['connect', ...args]);
    }
    const { joinWithLivekit } = exportsOf(exampleOf('livekit'), {
      'livekit-client': { Room, RoomEvent: { TrackSubscribed: 'trackSubscribed' } },
    });
    await joinWithLivekit?.({ ...ANSWER, app_id: 'wss://media.example' }, {});
    expect(calls).toEqual([
      ['on', 'trackSubscribed'],
      ['connect', 'wss://media.example', '007eJ'],
      ['enable'],
    ]);
  });
});
