import type { ApiResponse, ApiClient } from '../support/api-client';
import { CREATING_ROUTES, postWithKey } from '../support/idempotency';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const CONCURRENCY = 50;
const ROUNDS = 3;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Sends the same request many times concurrently on two instances. */
describe('Concurrent equal requests on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let admins: ApiClient[];
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    await testUser(one.api, { id: 2 });
    admins = [
      await testUser(one.api, { id: 1, role: 'admin' }),
      await testUser(two.api, { id: 1, role: 'admin' }),
    ];
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const adminOn = (index: number): ApiClient => admins[index % 2] as ApiClient;
  const countRows = async (sql: string): Promise<number> =>
    Number(((await one.query(sql)) as { n: number | string }[])[0]?.n);
  /** Fields of a response that do not change afterwards. */
  const idIn = ({ body }: ApiResponse): unknown => body.data?.id ?? body.data?.created ?? body;

  it.each(Object.entries(CREATING_ROUTES))('create one %s', async (what, { path, body, count }) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = `${what.replaceAll(' ', '-')}-${round}`;
      const responses = await times(CONCURRENCY, (index) =>
        postWithKey(adminOn(index), name, path, body(name)),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(CONCURRENCY).fill(200));
      expect(new Set(responses.map(idIn)).size).toBe(1);
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      expect(await countRows(count(name))).toBe(1);
    }
  });

  it('with two different bodies accept one body and reject the other', async () => {
    const responses = await times(CONCURRENCY, (index) =>
      postWithKey(adminOn(index), 'either', '/api/admin/devices', { name: index % 4 < 2 ? 'Left' : 'Right' }),
    );
    const created = responses.filter(({ status }) => status === 200);
    expect(new Set(created.map(idIn)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 409).length).toBe(CONCURRENCY - created.length);
    expect(await countRows("SELECT COUNT(*) AS n FROM devices WHERE name IN ('Left', 'Right')")).toBe(1);
  });

  it('leave the key free when they are rejected', async () => {
    const unknown = { type: 'group', name: 'Nobody', member_ids: [777_777] };
    const refused = await times(20, (index) =>
      postWithKey(adminOn(index), 'free', '/api/messages/conversations', unknown),
    );
    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(422));
    const taken = { name: 'Taken', serial_no: 'S-7' };
    await adminOn(0).post('/api/admin/devices', taken);
    const late = await times(20, (index) => postWithKey(adminOn(index), 'free', '/api/admin/devices', taken));
    expect(late.map(({ body }) => body.message)).toEqual(Array(20).fill('序列号已存在'));
    expect(await countRows("SELECT COUNT(*) AS n FROM creation_keys WHERE idempotency_key = 'free'")).toBe(0);
    const group = await postWithKey(adminOn(1), 'free', '/api/messages/conversations', {
      type: 'group',
      name: 'All',
    });
    expect(group.status).toBe(200);
  });

  it('for many objects create each of them once, without waiting for each other', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `thing-${index}`);
    const responses = await Promise.all(
      names.flatMap((name) =>
        Array.from({ length: 4 }, (_, index) =>
          postWithKey(adminOn(index), name, '/api/admin/device-groups', { name }),
        ),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(80).fill(200));
    expect(new Set(responses.map(idIn)).size).toBe(20);
    expect(await countRows("SELECT COUNT(*) AS n FROM device_groups WHERE name LIKE 'thing-%'")).toBe(20);
  });
});
