import { DataSource } from 'typeorm';
import { CREATING_ROUTES } from '../support/creations';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually, ServiceProcess } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const KILLS = 3;
/** Answers before each kill. */
const ENOUGH = 25;
const AT_ONCE = 6;

/** Clients that send again what was not answered, with the same key, while the service is killed under them. */
describe('What is made under keys, by a service that is killed', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let test: TestApp | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await ServiceProcess.start(database.url);
  });
  afterAll(async () => {
    await service?.kill();
    await test?.close();
    await database?.drop();
  });

  it('is there once, and is what was answered', async () => {
    const authorization = `Bearer ${await signToken({ sub: '1', role: 'admin' })}`;
    await service.send(1, 'GET', '/api/auth/me', undefined, 'admin');
    await service.send(2, 'GET', '/api/auth/me');
    const routes = Object.values(CREATING_ROUTES).filter(({ path }) => path !== '/api/admin/users');
    const answers = new Map<string, string>();
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
        let answer: string | undefined;
        while (answer === undefined) answer = await post(name, index);
        answers.set(`${index} ${name}`, answer);
      }
    };
    const clients = Array.from({ length: AT_ONCE }, (_, who) => client(who));
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = answers.size;
      await eventually(
        () => Promise.resolve(answers.size),
        (size) => size >= before + ENOUGH,
      );
      await service.kill();
      service = await ServiceProcess.start(database.url);
    }
    over.abort();
    await Promise.all(clients);

    expect(answers.size).toBeGreaterThanOrEqual(KILLS * ENOUGH);
    for (const [key, answer] of answers) {
      const [index = '', name = ''] = key.split(' ');
      expect([name, await post(name, Number(index))]).toEqual([name, answer]);
    }
    await service.stop();
    test = await createTestApp({ database });
    const dataSource = test.app.get(DataSource);
    for (const key of answers.keys()) {
      const [index = '', name = ''] = key.split(' ');
      const route = routes[Number(index) % routes.length] as (typeof routes)[number];
      const [row] = await dataSource.query<{ n: number | string }[]>(route.count(name));
      expect([name, Number(row?.n)]).toEqual([name, 1]);
    }
  });
});
