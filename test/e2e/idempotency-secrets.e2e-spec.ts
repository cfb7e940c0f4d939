import type { ApiResponse, ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { postWithKey } from '../support/idempotency';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';
import { WEBHOOKS } from '../support/webhooks';

const CONCURRENCY = 50;
const REUSED = { code: 409, message: '请求标识已被使用', data: null };

interface SecretRoute {
  path: string;
  body: Record<string, unknown>;
  other: Record<string, unknown>;
  /** A later change of the object. */
  change: Record<string, unknown>;
  /** A rejected body and its error. */
  refused: Record<string, unknown>;
  refusal: string;
  /** The field of the response that is returned once. */
  secret: string;
  count: string;
  gone: string;
}

/** Routes that create an object with a secret. */
const SECRET_ROUTES: Record<string, SecretRoute> = {
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

describe.each(Object.entries(SECRET_ROUTES))(
  'An Idempotency-Key for an object with a secret: a %s',
  (_, what) => {
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
    /** Returns the number of objects that the test has created. */
    const count = async (): Promise<number> => (await countAll()) - countBefore;
    const shown = ({ body: { data } }: ApiResponse): unknown => data[secret];

    it('creates it once, and returns its secret once', async () => {
      const first = await postWithKey(admin, 'once', path, body);
      expect(shown(first)).toMatch(/^(cbk|whsec)_/);
      expect(first.headers['cache-control']).toBe('no-store');
      const again = await postWithKey(elsewhere, 'once', path, body);
      expect(again.body).toEqual({ ...first.body, data: { ...first.body.data, [secret]: null } });
      expect(again.headers['cache-control']).toBe('no-store');
      expect(await count()).toBe(1);
      const kept = JSON.stringify(await one.query('SELECT * FROM creation_keys'));
      expect(kept).not.toContain(shown(first));
    });

    it('creates it once for concurrent requests on two instances, and returns its secret to one', async () => {
      const responses = await Promise.all(
        Array.from({ length: CONCURRENCY }, (__, index) =>
          postWithKey(index % 2 === 0 ? admin : elsewhere, 'once', path, body),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(CONCURRENCY).fill(200));
      expect(new Set(responses.map(({ body: { data } }) => data.id)).size).toBe(1);
      expect(responses.filter((response) => shown(response) === null)).toHaveLength(CONCURRENCY - 1);
      expect(await count()).toBe(1);
    });

    it('is separate for each administrator and key, and rejects another body', async () => {
      await postWithKey(admin, 'once', path, body);
      expect((await postWithKey(elsewhere, 'once', path, what.other)).body).toEqual(REUSED);
      const [otherId = 0] = newUserIds(1);
      const other = await testUser(one.api, { id: otherId, role: 'admin' });
      for (const response of [
        await postWithKey(other, 'once', path, body),
        await postWithKey(admin, 'twice', path, body),
      ])
        expect(shown(response)).toEqual(expect.any(String));
      expect(await count()).toBe(3);
    });

    it('returns the current object, and 404 once it is deleted', async () => {
      const { id } = (await postWithKey(admin, 'once', path, body)).body.data;
      await admin.put(`${path}/${id}`, what.change);
      const again = await postWithKey(elsewhere, 'once', path, body);
      expect(again.body.data).toMatchObject({ id, ...what.change, [secret]: null });
      await admin.delete(`${path}/${id}`);
      expect((await postWithKey(elsewhere, 'once', path, body)).body).toEqual({
        code: 404,
        message: what.gone,
        data: null,
      });
      expect(await count()).toBe(0);
    });

    it('can be used again after a rejected request', async () => {
      const refused = await postWithKey(admin, 'once', path, { ...body, ...what.refused });
      expect(refused.body.message).toBe(what.refusal);
      expect(shown(await postWithKey(elsewhere, 'once', path, body))).toEqual(expect.any(String));
      // An invalid body also differs from the first one.
      expect((await postWithKey(admin, 'once', path, { ...body, ...what.refused })).body).toEqual(REUSED);
    });
  },
);
