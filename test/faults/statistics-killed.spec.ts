import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { undispatchedTo } from '../support/domain-events';
import { outboxEnvironment, type KillStep } from '../support/outbox-process';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { testEnvironment } from '../support/environment';
import { eventually, ServiceProcess } from '../support/service-process';

const SUBSCRIBED_TYPES = ['call.ended'];

const run = promisify(execFile);

describe('Statistics after the dispatching instance was killed', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let survivor: ServiceProcess | undefined;
  beforeEach(async () => {
    database = await createMigratedDatabase();
    dataSource = createDataSource(loadConfig(testEnvironment(database.url)).database);
  });
  afterEach(async () => {
    await survivor?.kill();
    survivor = undefined;
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  /** Rejects a call on an instance that is killed at a later step. */
  async function dieAt(step: KillStep): Promise<void> {
    const victim = await ServiceProcess.start(
      database.url,
      outboxEnvironment(SUBSCRIBED_TYPES, step, 'statistics'),
    );
    await victim.send(2, 'GET', '/api/auth/me');
    const placed = await victim.send(1, 'POST', '/api/calls', { callee_id: 2, media_type: 'audio' });
    const path = `/api/calls/${placed.data.call_id}/reject`;
    await victim.send(2, 'POST', path, {}).catch(() => undefined);
    expect(await victim.exit()).toBeNull();
    await dataSource.initialize();
  }

  const rejected = async (): Promise<number> => {
    const rows = await dataSource.query<{ value: number | string }[]>(
      `SELECT value FROM stats_daily WHERE metric = 'calls.audio.rejected'`,
    );
    return Number(rows[0]?.value ?? 0);
  };

  /** Returns what another instance counts, and the result of a recount. */
  async function recover(): Promise<{ counted: number; mended: string }> {
    survivor = await ServiceProcess.start(database.url, outboxEnvironment(SUBSCRIBED_TYPES));
    const left = () =>
      dataSource.query<object[]>(`SELECT id FROM domain_events WHERE ${undispatchedTo('statistics')}`);
    expect(await eventually(left, (rows) => rows.length === 0)).toEqual([]);
    const counted = await rejected();
    const env = { PATH: process.env.PATH, ...testEnvironment(database.url) };
    const { stdout } = await run(process.execPath, ['dist/scripts/repair-stats.js'], { env });
    return { counted, mended: stdout };
  }

  it.each<[string, KillStep]>([
    ['when the position of the end is assigned', 'numbered'],
    ['when it has moved the position of the statistics, but not committed', 'advanced'],
    ['when it has counted the end, but not committed', 'dispatching'],
    ['when the end is counted', 'dispatched'],
  ])('%s, count the call once', async (_, step) => {
    await dieAt(step);
    expect(await recover()).toEqual({ counted: 1, mended: '0 metric(s) corrected\n' });
  });
});
