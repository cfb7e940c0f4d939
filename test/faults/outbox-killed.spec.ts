import type { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { actEnvironment, type Step } from '../support/act-process';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';
import { eventually, ServiceProcess } from '../support/service-process';

const WANTED = ['device.created'];

interface OutboxRow {
  event_id: string;
  claim: string;
}

describe('An act, when its instance is killed', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let survivor: ServiceProcess | undefined;
  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource(loadConfig(testEnvironment(database.url)).database);
  });
  afterEach(async () => {
    await survivor?.kill();
    survivor = undefined;
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  /** Lets an administrator make a device on an instance that dies at a step; answers what it leaves in the outbox. */
  async function dieAt(step: Step): Promise<OutboxRow[]> {
    const victim = await ServiceProcess.start(database.url, actEnvironment(WANTED, step));
    await victim.send(1, 'POST', '/api/admin/devices', { name: 'Door' }, 'admin').catch(() => undefined);
    expect(await victim.exit()).toBeNull();
    await dataSource.initialize();
    return left();
  }

  const left = () => dataSource.query<OutboxRow[]>('SELECT event_id, claim FROM outbox');
  const routed = async (): Promise<string[]> => {
    const rows = await dataSource.query<{ event_id: string }[]>('SELECT event_id FROM routed_acts');
    return rows.map(({ event_id }) => event_id);
  };
  const devices = async (): Promise<number> =>
    (await dataSource.query<object[]>('SELECT id FROM devices')).length;

  const endLeases = () => dataSource.query('UPDATE outbox SET due_at = created_at');

  /** Starts another instance, for which the lease of the dead one is over, and waits until nothing is left. */
  async function recover(): Promise<void> {
    await endLeases();
    survivor = await ServiceProcess.start(database.url, actEnvironment(WANTED));
    expect(await eventually(left, (rows) => rows.length === 0)).toEqual([]);
  }

  it('before the commit, is not there, and neither is what it tells of', async () => {
    expect(await dieAt('written')).toEqual([]);
    await recover();
    expect([await devices(), await routed()]).toEqual([0, []]);
  });

  it.each<[string, Step]>([
    ['after the commit', 'committed'],
    ['when its row is deleted, but not committed', 'deleted'],
    ['when it is routed, but not committed', 'routing'],
  ])('%s, is routed by another one, once, under the same id', async (_, step) => {
    const [act, ...others] = await dieAt(step);
    expect([typeof act?.claim, others, await routed()]).toEqual(['string', [], []]);
    await recover();
    expect([await devices(), await routed()]).toEqual([1, [act?.event_id]]);
  });

  it('and who has claimed it then is killed, too, is routed by a third one', async () => {
    const [act] = await dieAt('committed');
    await endLeases();
    const second = await ServiceProcess.begin(database.url, actEnvironment(WANTED, 'claimed'));
    expect(await second.exit()).toBeNull();
    const [claimed, ...others] = await left();
    expect([claimed?.event_id, others]).toEqual([act?.event_id, []]);
    expect(claimed?.claim).not.toBe(act?.claim);
    await recover();
    expect(await routed()).toEqual([act?.event_id]);
  });

  it('when it has been routed, is not routed again', async () => {
    expect(await dieAt('routed')).toEqual([]);
    const before = await routed();
    await recover();
    expect([await devices(), before.length, await routed()]).toEqual([1, 1, before]);
  });
});
