import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { queryDatabase } from '../support/direct-query';
import { PushProviders, type PushRequest } from '../support/push-providers';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp } from '../support/test-app';

const USERS = Array.from({ length: 40 }, (_, index) => 100 + index);
/** The instance is killed after this number of accepted pushes of the broadcast. */
const BEFORE_KILL = 10;
/** Maximum number of pushes in flight: those may be repeated. */
const IN_FLIGHT = 50;
const TOKEN = 'secret-token-of-a-device';

describe('Pushes of an instance that is killed', () => {
  let database: TestDatabase;
  let providers: PushProviders;
  let service: ServiceProcess;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    providers = await PushProviders.open();
    env = { ...providers.env, CALL_RING_TIMEOUT_SECONDS: '600', LOG_LEVEL: 'trace', PUSH_CONTENT: 'full' };
    const app = await createTestApp({ database });
    await app.close();
    service = await ServiceProcess.start(database.url, env);
  });
  afterAll(async () => {
    await service?.kill();
    await providers?.close();
    await database?.drop();
  });

  const received = (count: number): Promise<PushRequest[]> =>
    eventually(
      async () => providers.fcm,
      (requests) => requests.length >= count,
    );
  /** Ends the leases of the killed process, the only one that has leases, and starts the service again. */
  const startAgain = async (): Promise<void> => {
    await queryDatabase(database.url, 'UPDATE push_jobs SET due_at = caused_at WHERE due_at IS NOT NULL');
    await queryDatabase(database.url, 'UPDATE push_targets SET busy_until = NULL');
    await service.startAgain();
  };

  it('ring again with the same collapse id, and log no token', async () => {
    const body = { kind: 'fcm', terminal_id: 'phone', token: TOKEN };
    expect((await service.send(6, 'POST', '/api/push/targets', body)).code).toBe(0);
    await service.send(5, 'GET', '/api/auth/me');
    providers.replies.fcm = () => undefined;
    const call = await service.send(5, 'POST', '/api/calls', { callee_id: 6 });
    await received(1);
    await service.kill();
    providers.replies.fcm = () => ({ status: 200 });
    await startAgain();
    const rings = await received(2);
    const keys = rings.map(
      (ring) => (ring.body.message as { android: { collapse_key: string } }).android.collapse_key,
    );
    expect(new Set(keys)).toEqual(new Set([`call:${call.data.call_id}`]));
    const log = service.lines.join('\n');
    for (const secret of [TOKEN, 'access-1', providers.env.VAPID_PRIVATE_KEY, 'PRIVATE KEY'])
      expect(log).not.toContain(secret);
  });

  it('reach every user of a broadcast, and repeat only what was in flight', async () => {
    providers.clear();
    for (const id of USERS)
      await service.send(id, 'POST', '/api/push/targets', {
        kind: 'fcm',
        terminal_id: 'phone',
        token: `token-${id}`,
      });
    providers.replies.fcm = () => (providers.fcm.length < BEFORE_KILL ? { status: 200 } : undefined);
    const broadcast = { broadcast: true, type: 'news', title: 'To all', content: 'Text' };
    await service.send(1, 'POST', '/api/admin/notifications', broadcast, 'admin');
    await received(BEFORE_KILL);
    await service.kill();
    providers.replies.fcm = () => ({ status: 200 });
    await startAgain();
    const userIdOf = ({ body }: PushRequest): number =>
      Number((body.message as { data: { user_id: string } }).data.user_id);
    const reached = await eventually(
      async () => providers.fcm.map(userIdOf).filter((id) => id >= 100),
      (ids) => new Set(ids).size === USERS.length,
    );
    expect(reached.length).toBeLessThanOrEqual(USERS.length + IN_FLIGHT);
    await eventually(
      async () =>
        queryDatabase(database.url, 'SELECT id FROM push_jobs WHERE due_at IS NOT NULL OR sent_rev < rev'),
      (rows) => rows.length === 0,
    );
    expect(await queryDatabase(database.url, 'SELECT id FROM push_fanouts')).toEqual([]);
  });
});
