import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readSeed, resolveReferences } from '../../scripts/seeded/seed-file';

const run = promisify(execFile);

describe('callboard demo --seed', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-seed-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const writeSeed = (seed: object): string => {
    const file = join(folder, 'seed.json');
    writeFileSync(file, JSON.stringify(seed));
    return file;
  };

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

  it('exits with 1 if a request of the file fails', async () => {
    const request = { as: 'a', send: 'POST /api/calls', body: {} };
    const started = run(
      'bin/callboard.js',
      ['demo', '--seed', writeSeed({ users: { a: {} }, requests: [request] })],
      {
        env: { PATH: process.env.PATH },
      },
    );
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('requests[0] POST /api/calls: 422 ') as string,
    });
  });

  it.each<[problem: string, seed: object, message: string]>([
    ['without users', {}, '"users" must be an object'],
    ['with an invalid role', { users: { a: { role: 'root' } } }, 'users.a.role must be "user" or "admin"'],
    [
      'with an unknown sender',
      { users: { a: {} }, requests: [{ as: 'b', send: 'POST /api/calls' }] },
      'requests[0].as must be a key of "users"',
    ],
    [
      'with a GET',
      { users: { a: {} }, requests: [{ as: 'a', send: 'GET /api/calls' }] },
      'requests[0].send must be like "POST /api/calls"',
    ],
  ])('rejects a file %s', (_, seed, message) => {
    const file = writeSeed(seed);
    expect(() => readSeed(file)).toThrow(`${file}: ${message}`);
  });

  it('rejects a reference to an unknown name', () => {
    expect(() => resolveReferences({ callee_id: '$b' }, new Map([['a', 1]]))).toThrow('$b is unknown');
  });
});
