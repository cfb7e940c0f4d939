import type { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import type { OutboxEvent } from '../../src/outbox/outbox-event';
import { storedEvents, undispatchedTo } from '../support/domain-events';
import { outboxEnvironment, type KillStep } from '../support/outbox-process';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { testEnvironment } from '../support/environment';
import { eventually, ServiceProcess } from '../support/service-process';

const SUBSCRIBED_TYPES = ['device.created'];

type StoredEvent = OutboxEvent & { position: number | null };

describe('A domain event of an instance that is killed', () => {
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

  /** Creates a device on an instance that is killed at a step, and returns the undispatched events. */
  async function dieAt(step: KillStep): Promise<StoredEvent[]> {
    const victim = await ServiceProcess.start(database.url, outboxEnvironment(SUBSCRIBED_TYPES, step));
    await victim.send(1, 'POST', '/api/admin/devices', { name: 'Door' }, 'admin').catch(() => undefined);
    expect(await victim.exit()).toBeNull();
    await dataSource.initialize();
    return left();
  }

  const left = () => storedEvents((sql) => dataSource.query(sql), undispatchedTo('recorder'));
  const routed = async (): Promise<string[]> => {
    const rows = await dataSource.query<{ event_id: string }[]>('SELECT event_id FROM dispatched_events');
    return rows.map(({ event_id }) => event_id);
  };
  const devices = async (): Promise<number> =>
    (await dataSource.query<object[]>('SELECT id FROM devices')).length;

  /** Starts another instance, and waits until nothing is left. */
  async function recover(): Promise<void> {
    survivor = await ServiceProcess.start(database.url, outboxEnvironment(SUBSCRIBED_TYPES));
    expect(await eventually(left, (rows) => rows.length === 0)).toEqual([]);
  }

  it('before the commit is not stored, and neither is its cause', async () => {
    expect(await dieAt('written')).toEqual([]);
    await recover();
    expect([await devices(), await routed()]).toEqual([0, []]);
  });

  it.each<[string, KillStep]>([
    ['after the commit', 'committed'],
    ['while its position is assigned', 'numbering'],
    ['after its position is assigned', 'numbered'],
    ['when the position of the consumer is moved, but not committed', 'advanced'],
    ['when it is dispatched, but not committed', 'dispatching'],
  ])('%s is dispatched once by another one, under the same id', async (_, step) => {
    const [act, ...others] = await dieAt(step);
    expect([others, await routed()]).toEqual([[], []]);
    expect(act?.position).toBe(['committed', 'numbering'].includes(step) ? null : 1);
    await recover();
    expect([await devices(), await routed()]).toEqual([1, [act?.eventId]]);
  });

  it('and then read by another killed one is dispatched by a third one', async () => {
    const [act] = await dieAt('committed');
    const second = await ServiceProcess.begin(database.url, outboxEnvironment(SUBSCRIBED_TYPES, 'advanced'));
    expect(await second.exit()).toBeNull();
    expect(await left()).toEqual([{ ...act, position: 1 }]);
    await recover();
    expect(await routed()).toEqual([act?.eventId]);
  });

  it('after the dispatch is not dispatched again', async () => {
    expect(await dieAt('dispatched')).toEqual([]);
    const before = await routed();
    await recover();
    expect([await devices(), before.length, await routed()]).toEqual([1, 1, before]);
  });
});
