import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { ServiceProcess } from '../support/service-process';

/** Returns the command that redirects the standard output of another command. */
const writingTo = (target: string): string[] => ['bash', '-c', `exec "$0" "$@" > ${target}`];

describe('An unwritable log', () => {
  let database: TestDatabase;
  let service: ServiceProcess | undefined;
  beforeEach(async () => {
    database = await createMigratedDatabase();
  });
  afterEach(async () => {
    await service?.kill();
    await database?.drop();
  });

  it.each<[string, string, string]>([
    ['the disk is full', 'test', '/dev/full'],
    ['the disk is full, in development', 'development', '/dev/full'],
    ['nobody reads the pipe', 'test', '>(true)'],
    ['nobody reads the pipe, in development', 'development', '>(true)'],
  ])('because of %s does not stop the service', async (_why, mode, target) => {
    const env = { NODE_ENV: mode, LOG_LEVEL: 'trace' };
    const running = await ServiceProcess.start(database.url, env, writingTo(target));
    service = running;
    // Each request logs a line, and a hundred lines are written in several chunks.
    for (let request = 1; request <= 100; request += 1) {
      expect((await running.send(1, 'GET', '/api/calls/active')).code).toBe(0);
    }
    expect(await running.stop()).toBe(0);
  });
});
