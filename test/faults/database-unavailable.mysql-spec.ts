import { createConnection } from 'mysql2/promise';
import { FaultHarness } from '../support/fault-harness';
import { eventually } from '../support/service-process';
import { startMariadb } from '../support/throwaway-mariadb.js';
import { timingEnvironment } from '../support/timings';

const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };

type Server = Awaited<ReturnType<typeof startMariadb>>;

describe('MariaDB under load', () => {
  let server: Server;
  let fixture: FaultHarness;
  beforeAll(async () => {
    server = await startMariadb();
    const connection = await createConnection(server.url.replace('mariadb:', 'mysql:'));
    await connection.query('CREATE DATABASE callboard');
    await connection.end();
    const database = { url: `${server.url}/callboard`, drop: async () => undefined };
    fixture = await FaultHarness.open({
      database,
      env: { REQUEST_TIMEOUT_SECONDS: '2', ...timingEnvironment({ shutdownWithinMs: 1_000 }) },
    });
  });
  afterAll(async () => {
    server?.thaw();
    await fixture?.close();
    await server?.stop();
  });

  const get = async (path: string): Promise<[number, unknown]> => {
    const response = await fetch(`${fixture.service.url}${path}`);
    return [response.status, await response.json()];
  };

  it.each<[string, (server: Server) => Promise<void> | void, (server: Server) => Promise<void> | void]>([
    ['stopped', ({ halt }) => halt(), ({ restart }) => restart()],
    ['killed', ({ halt }) => halt('SIGKILL'), ({ restart }) => restart()],
    ['hanging', ({ freeze }) => void freeze(), ({ thaw }) => void thaw()],
  ])(
    '%s: requests return 503, readiness follows, and the service recovers',
    async (_what, takeAway, bringBack) => {
      const before = fixture.client.failures;
      await fixture.underLoad(async () => {
        await fixture.untilAcknowledged(40);
        await takeAway(server);
        expect(await fixture.untilReadiness((status) => status === 503)).toEqual([503, { database: 'down' }]);
        expect(await fixture.service.send(999, 'GET', '/api/calls/active')).toEqual(UNAVAILABLE);
        expect(await get('/health/live')).toEqual([200, { status: 'ok' }]);
        await bringBack(server);
        expect(await fixture.untilReadiness((status) => status === 200)).toEqual([200, { database: 'up' }]);
        await fixture.untilAcknowledged(40);
      });
      expect(fixture.client.failures).toBeGreaterThan(before);
      // On a slow machine single requests exceed their limit of two seconds.
      await eventually(
        () => fixture.service.send(999, 'GET', '/api/calls/active'),
        ({ code }) => code === 0,
      );
      await fixture.check();
    },
  );

  it('hanging: the service still stops on SIGTERM, with exit code 0', async () => {
    server.freeze();
    const waiting = fixture.service.send(999, 'POST', '/api/messages/conversations', {
      type: 'group',
      name: 'x',
    });
    expect(await waiting).toEqual(UNAVAILABLE);
    expect(await fixture.service.stop()).toBe(0);
  });
});
