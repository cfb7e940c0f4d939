import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually, ServiceProcess } from '../support/service-process';
import { testEnvironment } from '../support/environment';
import { createTestApp } from '../support/test-app';

const run = promisify(execFile);

/** Runs a built script like `npm run` and returns its output. */
async function script(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run(process.execPath, [`dist/scripts/${name}.js`, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  return stdout;
}

/** Runs the command line as the image does. */
const callboard = (...args: string[]) => run('bin/callboard.js', args, { env: { PATH: process.env.PATH } });

describe('Scripts', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('npm run demo shows a complete call, and every way to an unanswered one', async () => {
    const shown = await script('demo/run', ['--database', database.url], {});
    expect(shown).toMatch(/The integration receives call\.ended {2}.*"end_reason":"local_hangup"/);
    const calls = Array.from(
      shown.matchAll(/→ (?:POST|GET) \S+|code \d+|"status": "\w+"|"end_reason": "\w+"/g),
      ([text]) => text,
    );
    expect(calls).toEqual(
      expect.arrayContaining([
        '→ POST /api/calls',
        'code 0',
        'code 41006',
        'code 41007',
        'code 41001',
        '"end_reason": "no_answer"',
      ]),
    );
    for (const status of ['ringing', 'accepted', 'ongoing', 'ended', 'rejected', 'cancelled']) {
      expect(calls).toContain(`"status": "${status}"`);
    }
    expect(shown).toContain('不能移动到自身或下级分组');
    expect(shown).toContain('Cat has not opened the group yet');
    expect(shown).toContain('Bob撤回了一条消息');
    expect(shown).toContain('"affected": 3');
    expect(shown).toContain('content of the media token: {"iceServers":[],"iceTransportPolicy":"all"}');
    const received = Array.from(shown.matchAll(/receives #\d+ call\.signal {2}(.*)$/gm), ([, what = '']) =>
      Object.values(JSON.parse(what) as object),
    );
    expect(received).toEqual([
      ['bob-phone', 'a1', 'connection-1', 'offer', 0],
      ['alice-laptop', 'b1', 'connection-1', 'answer', 1],
      ['bob-phone', 'a2', 'connection-1', null, 2],
    ]);
    // After the end of the call, its events contain no content of signals.
    expect(
      shown.match(/"type": "call\.signal",\n.*"created_at": ".*",\n.*"call_id": 1,\n.*"signal": \d+\n/g),
    ).toHaveLength(2);
  });

  it('npm run demo shows the content of tokens of another media provider', async () => {
    const shown = await script('demo/run', ['--database', database.url], { MEDIA_PROVIDER: 'agora' });
    await expect(script('demo/run', ['--database', database.url], {})).rejects.toThrow(
      'The demo needs an empty database',
    );
    expect(shown).toMatch(/content of the media token: \{"appId":"[0-9a-f]{32}","channel":"call-/);
    expect(shown).not.toContain('/signals');
    expect(shown).not.toContain('接口不存在');
  });

  it('the first start creates demo data and prints curl lines; the second start creates none', async () => {
    const env = { NODE_ENV: 'development', DEMO_DATA: 'on', LOG_LEVEL: 'info' };
    const first = await ServiceProcess.start(database.url, env);
    await eventually(
      async () => first.lines.join('\n'),
      (text) => text.includes('/api/notifications'),
    );
    const token = /ADMIN=(\S+)/.exec(first.lines.join('\n'))?.[1];
    const tree = await fetch(`${first.url}/api/admin/device-groups/tree`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await tree.json()).toMatchObject({
      code: 0,
      data: [{ name: '阳光花园' }, { name: '科技园写字楼' }, { name: 'Harbour Court' }],
    });
    await first.stop();

    const second = await ServiceProcess.start(database.url, env);
    expect(second.lines.join('\n')).not.toContain('ADMIN=');
    await second.stop();
  });

  it('the repairs leave the work of instances to them', async () => {
    const test = await createTestApp({ database });
    // An instance without a provider of pushes removes it.
    await test.query("INSERT INTO domain_event_positions (name, position) VALUES ('push', 0)");
    const env = testEnvironment(database.url);
    expect(await script('repair-counters', [], env)).toBe('0 counter(s) corrected\n');
    expect(await script('repair-stats', [], env)).toBe('0 metric(s) corrected\n');
    expect(await test.query("SELECT name FROM domain_event_positions WHERE name = 'push'")).toHaveLength(1);
    await test.close();
  });

  it('npm run token signs a token that the service accepts', async () => {
    const token = await script('token', ['--user', '7', '--name', 'Seven'], testEnvironment(database.url));
    const test = await createTestApp({ database, clock: undefined });
    test.clock.set(new Date().toISOString());
    const response = await test.api.withToken(token.trim()).get('/api/calls/active');
    expect(response.body.code).toBe(0);
    await test.close();
  });

  it('npm run token prints its usage', async () => {
    await expect(script('token', ['--user', 'me'], testEnvironment(database.url))).rejects.toThrow(
      'Usage: callboard token',
    );
    await expect(script('token', ['--usr', '7'], testEnvironment(database.url))).rejects.toThrow(
      "Unknown option '--usr'",
    );
  });

  it.each(['admin create', 'demo', 'migrate', 'repair counters', 'repair stats', 'token'])(
    'callboard %s --help only prints its usage',
    async (command) => {
      const { stdout } = await callboard(...command.split(' '), '--help');
      expect(stdout).toMatch(new RegExp(`^Usage: callboard ${command}[ \\n]`));
    },
  );

  it('callboard prints its commands, and fails with 2 for an unknown command or option', async () => {
    expect((await callboard('--help')).stdout).toMatch(
      /^Usage: callboard <command>[^]*\n  repair counters  Recount/,
    );
    expect((await callboard('repair', '--help')).stdout).toMatch(/^Usage: callboard <command>/);
    await expect(callboard('repair', 'everything')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown command: repair everything') as string,
    });
    await expect(callboard('serve', '--port=1')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Unknown option '--port=1'") as string,
    });
  });

  it('callboard serve starts the service', async () => {
    const service = await ServiceProcess.start(database.url, {}, [], ['bin/callboard.js', 'serve']);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    await service.stop();
  });
});
