import { DataSource } from 'typeorm';
import { CREATING_ROUTES } from '../support/idempotency';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const KILLS = 3;
/** Number of responses before each kill. */
const RESPONSES_PER_KILL = 25;
const CONCURRENCY = 6;

/** Clients that retry unacknowledged requests with the same key while the service is killed. */
describe('Requests with an Idempotency-Key to a service that is killed', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let test: TestApp | undefined;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = await ServiceProcess.start(database.url);
  });
  afterAll(async () => {
    await service?.kill();
    await test?.close();
    await database?.drop();
  });

  it('create each object once, equal to the response', async () => {
    const authorization = `Bearer ${await signToken({ sub: '1', role: 'admin' })}`;
    await service.send(1, 'GET', '/api/auth/me', undefined, 'admin');
    await service.send(2, 'GET', '/api/auth/me');
    const routes = Object.values(CREATING_ROUTES).filter(({ path }) => path !== '/api/admin/users');
    const responses = new Map<string, string>();
    const over = new AbortController();

    const post = async (name: string, index: number): Promise<string | undefined> => {
      const { path, body } = routes[index % routes.length] as (typeof routes)[number];
      try {
        const response = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', 'idempotency-key': name },
          body: JSON.stringify(body(name)),
        });
        return response.status === 200 ? await response.text() : undefined;
      } catch {
        return undefined;
      }
    };
    const client = async (who: number): Promise<void> => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const name = `thing-${who}-${index}`;
        let reply: string | undefined;
        while (reply === undefined) reply = await post(name, index);
        responses.set(`${index} ${name}`, reply);
      }
    };
    const clients = Array.from({ length: CONCURRENCY }, (_, who) => client(who));
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = responses.size;
      await eventually(
        () => Promise.resolve(responses.size),
        (size) => size >= before + RESPONSES_PER_KILL,
      );
      await service.kill();
      service = await ServiceProcess.start(database.url);
    }
    over.abort();
    await Promise.all(clients);

    expect(responses.size).toBeGreaterThanOrEqual(KILLS * RESPONSES_PER_KILL);
    for (const [key, reply] of responses) {
      const [index = '', name = ''] = key.split(' ');
      expect([name, await post(name, Number(index))]).toEqual([name, reply]);
    }
    await service.stop();
    test = await createTestApp({ database });
    const dataSource = test.app.get(DataSource);
    for (const key of responses.keys()) {
      const [index = '', name = ''] = key.split(' ');
      const route = routes[Number(index) % routes.length] as (typeof routes)[number];
      const [row] = await dataSource.query<{ n: number | string }[]>(route.count(name));
      expect([name, Number(row?.n)]).toEqual([name, 1]);
    }
  });
});
