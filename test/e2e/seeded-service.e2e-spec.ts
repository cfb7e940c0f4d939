import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('callboard demo --seed', () => {
  it('runs the example of docs/integration-tests.md', async () => {
    // The reporter of node:test prints its totals.
    const { stdout } = await run(
      process.execPath,
      ['--test', '--test-reporter=spec', 'examples/integration-tests/*.test.mjs'],
      {
        env: { PATH: process.env.PATH, CALLBOARD: 'bin/callboard.js' },
      },
    );
    expect(stdout).toContain('pass 3\n');
    expect(stdout).toContain('fail 0\n');
  });

  it.each<[problem: string, seed: object, message: string]>([
    ['no users', {}, '"users" must be an object'],
    ['an invalid role', { users: { a: { role: 'root' } } }, 'users.a.role must be "user" or "admin"'],
    [
      'an unknown sender',
      { users: { a: {} }, requests: [{ as: 'b', send: 'POST /api/calls' }] },
      'requests[0].as',
    ],
    ['a GET', { users: { a: {} }, requests: [{ as: 'a', send: 'GET /api/calls' }] }, 'requests[0].send'],
    [
      'an unknown name',
      { users: { a: {} }, requests: [{ as: 'a', send: 'POST /api/calls', body: { callee_id: '$b' } }] },
      'requests[0] POST /api/calls: $b is unknown',
    ],
    [
      'a request that fails',
      { users: { a: {} }, requests: [{ as: 'a', send: 'POST /api/calls', body: {} }] },
      'requests[0] POST /api/calls: 422 ',
    ],
  ])('fails for a file with %s', async (_, seed, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-seed-'));
    const file = join(folder, 'seed.json');
    writeFileSync(file, JSON.stringify(seed));
    const started = run('bin/callboard.js', ['demo', '--seed', file], { env: { PATH: process.env.PATH } });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message) as string,
    });
    rmSync(folder, { recursive: true });
  });
});
