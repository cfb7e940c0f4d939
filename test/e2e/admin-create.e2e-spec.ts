import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { login } from '../support/accounts';
import { storedEvents } from '../support/domain-events';
import { testEnvironment } from '../support/environment';
import { stopJobs } from '../support/jobs';
import { createTestApp, type TestApp } from '../support/test-app';

describe('npm run admin:create', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    // Jobs would dispatch the event and delete it.
    await stopJobs(test);
  });
  afterAll(() => test?.close());

  /** Runs the built script on the database of the test. */
  async function run(
    args: string[],
    input: string,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number; output: string }> {
    const child = spawn(process.execPath, ['dist/scripts/create-admin.js', ...args], {
      env: { PATH: process.env.PATH, ...testEnvironment(test.database.url), ...environment },
    });
    child.stdin.end(input);
    const [[code], output, errors] = await Promise.all([
      once(child, 'close') as Promise<[number]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, output: output + errors };
  }

  it('creates an administrator with the password from standard input, who can log in', async () => {
    const created = await run(['--account', 'root', '--name', '管理员'], 'correct horse\n');
    expect(created).toEqual({ code: 0, output: 'Created the administrator root with the id 1\n' });
    const { user, access_token } = (await login(test.api, 'root', 'correct horse')).body.data;
    expect(user).toMatchObject({ id: 1, account: 'root', name: '管理员', role: 'admin' });
    expect((await test.api.withToken(access_token).get('/api/admin/users')).status).toBe(200);
  });

  it('leaves its event to the service', async () => {
    expect(await storedEvents((sql) => test.query(sql))).toMatchObject([
      { type: 'user.created', subject: 'user:1', position: null },
    ]);
  });

  it('migrates the database, although the service runs several workers', async () => {
    const last = 'CountReadNotices1764490000000';
    await test.query(`DELETE FROM migrations WHERE name = '${last}'`);
    const args = ['--account', 'second', '--name', 'x'];
    expect(await run(args, 'correct horse\n', { WEB_CONCURRENCY: '2' })).toMatchObject({ code: 0 });
    expect(await test.query(`SELECT name FROM migrations WHERE name = '${last}'`)).toEqual([{ name: last }]);
  });

  it.each([
    [
      'a taken account',
      ['--account', 'ROOT', '--name', 'x'],
      'correct horse\n',
      'Another user has this account\n',
    ],
    [
      'a short password',
      ['--account', 'other', '--name', 'x'],
      'short\n',
      'password must have at least 8 characters\n',
    ],
    ['no password', ['--account', 'other', '--name', 'x'], '', 'password must not be empty\n'],
    ['no name', ['--account', 'other'], 'correct horse\n', expect.stringContaining('--account <account>')],
  ])('rejects %s with a message', async (_, args, input, output) => {
    expect(await run(args, input)).toEqual({ code: 1, output });
  });
});
