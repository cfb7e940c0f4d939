import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';

const run = promisify(execFile);

/** A short run of `npm run fuzz`, without its time limit, because other tests share the machine. */
describe('Generated requests', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterAll(() => database?.drop());

  it('receive responses that match the OpenAPI document', async () => {
    const options = { requests: 600, seed: 20_261_120, parallel: 4, slowest: 60_000, database: database.url };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const { stdout } = await run(process.execPath, ['dist/test/fuzz/run.js', ...args]);
    expect(stdout).toMatch(/^\d+ requests in \d+ s, \d+ % succeeded, the slowest took \d+ ms$/m);
    expect(stdout).not.toContain('✗');
  });
});
