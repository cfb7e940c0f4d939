import { createUser } from '../support/accounts';
import { JwksServer, makeKey, type SigningKey } from '../support/jwks-server';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(30);
const CONCURRENT_REQUESTS = 20;
/** Few: each waits for the sequence, and two lock time-outs are a 503. */
const CONCURRENT_USERS = 3;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Two instances on one database that receive the first requests of a provider's users concurrently. */
describe('New users of a provider, on two instances', () => {
  let key: SigningKey;
  let jwks: JwksServer;
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    key = await makeKey('ES256', 'provider');
    jwks = await JwksServer.start([key]);
    const env = { JWT_JWKS_URL: jwks.url };
    one = await createTestApp({ env });
    two = await createTestApp({ env, database: one.database, clock: one.clock });
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
    await jwks?.stop();
  });

  const on = (index: number): TestApp => (index % 2 === 0 ? one : two);
  /** Returns the id of a user on an instance; each request has a token of its own. */
  const idOf = async (index: number, sub: string): Promise<number> => {
    const token = await key.sign({ sub, jti: `${sub}-${index}`, name: 'Newcomer' });
    const response = await on(index).api.withToken(token).get('/api/auth/me');
    if (response.status !== 200) throw new Error(response.text);
    return response.body.data.id as number;
  };
  const rows = async (where: string): Promise<number> => {
    const [row] = (await one.query(`SELECT COUNT(*) AS n FROM users WHERE ${where}`)) as { n: number }[];
    return Number(row?.n);
  };

  it('are created once for concurrent requests, with consecutive ids', async () => {
    const ids: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const met = await times(CONCURRENT_REQUESTS, (index) => idOf(index, `person|${round}`));
      expect(new Set(met).size).toBe(1);
      ids.push(met[0] ?? 0);
    }
    expect(ids).toEqual(Array.from({ length: ROUNDS }, (_, index) => index + 1));
    expect(await rows("external_id LIKE 'person|%'")).toBe(ROUNDS);
  });

  it('receive unique ids during concurrent accounts and tokens with the next ids', async () => {
    const admin = await one.api.as({ id: 900_001, role: 'admin' });
    await admin.get('/api/auth/me');
    const created = [ROUNDS];
    for (let round = 0; round < ROUNDS / CONCURRENT_USERS; round += 1) {
      const next = Math.max(...created) + 1;
      const ids = await times(CONCURRENT_USERS, async (index) => {
        const name = `${round}-${index}`;
        const [external, again, local, taken] = await Promise.all([
          idOf(index, `crowd|${name}`),
          idOf(index + 1, `crowd|${name}`),
          createUser(admin, `account-${name}`),
          idOf(index, String(next + 2 * index)),
        ]);
        expect(again).toBe(external);
        expect(taken).toBe(next + 2 * index);
        return [external, local];
      });
      created.push(...ids.flat());
    }
    const count = (created.length - 1) / 2;
    expect(new Set(created).size).toBe(1 + 2 * count);
    expect(await rows("external_id LIKE 'crowd|%'")).toBe(count);
    expect(await rows("account LIKE 'account-%'")).toBe(count);
  });

  it('are distinguished by case, accents and spaces of their external ids', async () => {
    const texts = ['zoe', 'ZOE', 'zoë', 'zoe ', 'zoe\u200b'];
    const met = await times(2 * texts.length, (index) => idOf(index, texts[index % texts.length] ?? ''));
    expect(new Set(met).size).toBe(texts.length);
    expect(met.slice(0, texts.length)).toEqual(met.slice(texts.length));
  });
});
