import type { Answer, ApiClient } from '../support/api-client';
import { CREATING_ROUTES, postOnce } from '../support/creations';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const AT_ONCE = 50;
const ROUNDS = 3;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The same request many times at once, on two instances. */
describe('Equal requests at once, on two instances', () => {
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
  const numberOf = async (sql: string): Promise<number> =>
    Number(((await one.query(sql)) as { n: number | string }[])[0]?.n);
  /** What an answer tells of, whatever has happened to it since. */
  const idIn = ({ body }: Answer): unknown => body.data?.id ?? body.data?.created ?? body;

  it.each(Object.entries(CREATING_ROUTES))('make one %s', async (what, { path, body, count }) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = `${what.replaceAll(' ', '-')}-${round}`;
      const answers = await times(AT_ONCE, (index) => postOnce(adminOn(index), name, path, body(name)));
      expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
      expect(new Set(answers.map(idIn)).size).toBe(1);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await numberOf(count(name))).toBe(1);
    }
  });

  it('with two bodies make one of them, and refuse the other', async () => {
    const answers = await times(AT_ONCE, (index) =>
      postOnce(adminOn(index), 'either', '/api/admin/devices', { name: index % 4 < 2 ? 'Left' : 'Right' }),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(new Set(made.map(idIn)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(AT_ONCE - made.length);
    expect(await numberOf("SELECT COUNT(*) AS n FROM devices WHERE name IN ('Left', 'Right')")).toBe(1);
  });

  it('that are refused leave the key free for all of them', async () => {
    const unknown = { type: 'group', name: 'Nobody', member_ids: [777_777] };
    const refused = await times(20, (index) =>
      postOnce(adminOn(index), 'free', '/api/messages/conversations', unknown),
    );
    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(422));
    const taken = { name: 'Taken', serial_no: 'S-7' };
    await adminOn(0).post('/api/admin/devices', taken);
    const late = await times(20, (index) => postOnce(adminOn(index), 'free', '/api/admin/devices', taken));
    expect(late.map(({ body }) => body.message)).toEqual(Array(20).fill('序列号已存在'));
    expect(await numberOf("SELECT COUNT(*) AS n FROM creation_keys WHERE idempotency_key = 'free'")).toBe(0);
    const group = await postOnce(adminOn(1), 'free', '/api/messages/conversations', {
      type: 'group',
      name: 'All',
    });
    expect(group.status).toBe(200);
  });

  it('for many things at once make each of them once, and nobody waits for another', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `thing-${index}`);
    const answers = await Promise.all(
      names.flatMap((name) =>
        Array.from({ length: 4 }, (_, index) =>
          postOnce(adminOn(index), name, '/api/admin/device-groups', { name }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(80).fill(200));
    expect(new Set(answers.map(idIn)).size).toBe(20);
    expect(await numberOf("SELECT COUNT(*) AS n FROM device_groups WHERE name LIKE 'thing-%'")).toBe(20);
  });
});
