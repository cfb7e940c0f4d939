import type { Answer, ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { postOnce } from '../support/creations';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';
import { WEBHOOKS } from '../support/webhooks';

const AT_ONCE = 50;
const REUSED = { code: 409, message: '请求标识已被使用', data: null };

interface Secretive {
  path: string;
  body: Record<string, unknown>;
  other: Record<string, unknown>;
  /** What is changed of it later, and how it is changed. */
  change: Record<string, unknown>;
  /** What is refused of such a body, and with what. */
  refused: Record<string, unknown>;
  refusal: string;
  /** The field of the answer that is shown once. */
  secret: string;
  count: string;
  gone: string;
}

/** What makes something that has a secret. */
const SECRETIVE: Record<string, Secretive> = {
  key: {
    path: '/api/admin/keys',
    body: { name: 'Once', scopes: ['users:read', 'calls:read'], expires_at: '2027-01-01T00:00:00.000Z' },
    other: { name: 'Once', scopes: ['users:read'], expires_at: '2027-01-01T00:00:00.000Z' },
    change: { name: 'Later' },
    refused: { expires_at: '2026-01-01T00:00:00.000Z' },
    refusal: 'expires_at 取值无效',
    secret: 'key',
    count: 'SELECT COUNT(*) AS n FROM api_keys',
    gone: '密钥不存在',
  },
  webhook: {
    path: '/api/admin/webhooks',
    body: { url: 'https://backend.example/once', event_types: ['call.ended', 'call.created'] },
    other: { url: 'https://backend.example/other', event_types: ['call.ended', 'call.created'] },
    change: { description: 'Later' },
    refused: { url: 'https://10.0.0.1/' },
    refusal: 'url 取值无效',
    secret: 'secret',
    count: 'SELECT COUNT(*) AS n FROM webhook_endpoints WHERE deleted_at IS NULL',
    gone: '回调地址不存在',
  },
};

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await createTestApp({ env: WEBHOOKS });
  two = await createTestApp({ env: WEBHOOKS, database: one.database, clock: one.clock });
});
afterAll(async () => {
  await two?.close();
  await one?.close();
});

describe.each(Object.entries(SECRETIVE))('An Idempotency-Key of what has a secret: a %s', (_, what) => {
  const { path, body, secret } = what;
  let admin: ApiClient;
  let elsewhere: ApiClient;
  let countBefore: number;
  beforeEach(async () => {
    // Idempotency keys belong to a user: every test has its own administrator.
    const [id = 0] = newUserIds(1);
    admin = await testUser(one.api, { id, role: 'admin' });
    elsewhere = await testUser(two.api, { id, role: 'admin' });
    countBefore = await countAll();
  });

  const countAll = async (): Promise<number> =>
    Number(((await one.query(what.count)) as { n: number | string }[])[0]?.n);
  /** The number of things that the test has made. */
  const count = async (): Promise<number> => (await countAll()) - countBefore;
  const shown = ({ body: { data } }: Answer): unknown => data[secret];

  it('is made once, and its secret is told once', async () => {
    const first = await postOnce(admin, 'once', path, body);
    expect(shown(first)).toMatch(/^(cbk|whsec)_/);
    expect(first.headers['cache-control']).toBe('no-store');
    const again = await postOnce(elsewhere, 'once', path, body);
    expect(again.body).toEqual({ ...first.body, data: { ...first.body.data, [secret]: null } });
    expect(again.headers['cache-control']).toBe('no-store');
    expect(await count()).toBe(1);
    const kept = JSON.stringify(await one.query('SELECT * FROM creation_keys'));
    expect(kept).not.toContain(shown(first));
  });

  it('is made once where many ask at once on two instances, and one of them is told', async () => {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (__, index) =>
        postOnce(index % 2 === 0 ? admin : elsewhere, 'once', path, body),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    expect(new Set(answers.map(({ body: { data } }) => data.id)).size).toBe(1);
    expect(answers.filter((answer) => shown(answer) === null)).toHaveLength(AT_ONCE - 1);
    expect(await count()).toBe(1);
  });

  it('is another one with another body, by another administrator, and with another key', async () => {
    await postOnce(admin, 'once', path, body);
    expect((await postOnce(elsewhere, 'once', path, what.other)).body).toEqual(REUSED);
    const [otherId = 0] = newUserIds(1);
    const other = await testUser(one.api, { id: otherId, role: 'admin' });
    for (const answer of [
      await postOnce(other, 'once', path, body),
      await postOnce(admin, 'twice', path, body),
    ])
      expect(shown(answer)).toEqual(expect.any(String));
    expect(await count()).toBe(3);
  });

  it('is told of as it is now, and as gone once it is', async () => {
    const { id } = (await postOnce(admin, 'once', path, body)).body.data;
    await admin.put(`${path}/${id}`, what.change);
    const again = await postOnce(elsewhere, 'once', path, body);
    expect(again.body.data).toMatchObject({ id, ...what.change, [secret]: null });
    await admin.delete(`${path}/${id}`);
    expect((await postOnce(elsewhere, 'once', path, body)).body).toEqual({
      code: 404,
      message: what.gone,
      data: null,
    });
    expect(await count()).toBe(0);
  });

  it('is free again when it was refused', async () => {
    const refused = await postOnce(admin, 'once', path, { ...body, ...what.refused });
    expect(refused.body.message).toBe(what.refusal);
    expect(shown(await postOnce(elsewhere, 'once', path, body))).toEqual(expect.any(String));
    // A body that would be refused is another one all the same.
    expect((await postOnce(admin, 'once', path, { ...body, ...what.refused })).body).toEqual(REUSED);
  });
});
