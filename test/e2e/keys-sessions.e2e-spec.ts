import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SessionsService } from '../../src/identity/sessions/sessions.service';
import { createUser, refresh, type Tokens } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { EventReader } from '../support/event-reader';
import { type CreatedKey, makeKey } from '../support/keys';
import { createTestApp, type TestApp } from '../support/test-app';

const KEYS = '/api/admin/keys';

describe('Sessions opened by an API key', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    await test.app.listen(0, '127.0.0.1');
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  let count = 0;
  let userId: number;
  let key: CreatedKey;
  beforeEach(async () => {
    userId = await createUser(admin, `issued-${(count += 1)}`);
    key = await makeKey(test.api, ['tokens:issue']);
  });

  const issue = (app = test) => app.api.withToken(key.key).post(`/api/admin/users/${userId}/tokens`);
  const issued = async (): Promise<Tokens> => (await issue()).body.data;
  const statusOf = async ({ access_token }: Tokens, app = test): Promise<number> =>
    (await app.api.withToken(access_token).get('/api/auth/me')).status;
  const keysOfSessions = async (): Promise<(number | null)[]> => {
    const { items } = (await admin.get(`/api/admin/users/${userId}/sessions`)).body.data;
    return items.map(({ api_key_id }: { api_key_id: number | null }) => api_key_id);
  };

  it("name the key in the lists of administrators, also after a refresh, and not in the user's own", async () => {
    const tokens = await issued();
    expect((await refresh(test.api, tokens)).status).toBe(200);
    await admin.post(`/api/admin/users/${userId}/tokens`);
    expect(new Set(await keysOfSessions())).toEqual(new Set([key.id, null]));
    const own = await test.api.withToken(tokens.access_token).get('/api/auth/sessions');
    expect(own.body.data.items[0]).not.toHaveProperty('api_key_id');
  });

  it.each([undefined, {}, { end_sessions: true }, { end_sessions: null }])(
    'end when it is revoked with the body %j, with their streams and refresh tokens',
    async (body) => {
      const [tokens, byAdmin] = [await issued(), await admin.post(`/api/admin/users/${userId}/tokens`)];
      const stream = await EventReader.open(await test.app.getUrl(), { userId, token: tokens.access_token });
      expect([await statusOf(tokens), await statusOf(tokens, other)]).toEqual([200, 200]);
      expect((await admin.delete(`${KEYS}/${key.id}`, body)).body.code).toBe(0);
      // Tested before the stream ends, which ends by itself when it finds that its session has ended.
      expect(await statusOf(tokens)).toBe(401);
      await stream.ended;
      expect((await refresh(other.api, tokens)).status).toBe(401);
      test.clock.advance(10.001);
      expect(await statusOf(tokens, other)).toBe(401);
      expect(await statusOf(byAdmin.body.data)).toBe(200);
      expect(await keysOfSessions()).toEqual([null]);
    },
  );

  it('end in batches, so that their number does not prevent the revocation', async () => {
    const tokens = await issued();
    const [session] = (await test.query(`SELECT * FROM sessions WHERE api_key_id = ${key.id}`)) as [
      Record<string, unknown>,
    ];
    const { manager } = test.app.get(DataSource);
    const copies = Array.from({ length: 1_200 }, () => ({ ...session, id: randomUUID() }));
    const names = Object.keys(copies[0] ?? {});
    await manager.query(
      `INSERT INTO sessions (${names.join()}) VALUES ${copies.map(() => `(${names.map(() => '?').join()})`).join()}`,
      copies.flatMap((copy) => Object.values(copy)),
    );
    const endSome = jest.spyOn(test.app.get(SessionsService), 'endSomeOfKey');
    expect((await admin.delete(`${KEYS}/${key.id}`)).body.code).toBe(0);
    // 500, 500 and 201 sessions, and no session that was opened before the key was locked.
    expect(endSome).toHaveBeenCalledTimes(4);
    endSome.mockRestore();
    expect(await keysOfSessions()).toEqual([]);
    expect(await statusOf(tokens)).toBe(401);
  });

  it('continue with end_sessions false, and still name it', async () => {
    const tokens = await issued();
    expect((await admin.delete(`${KEYS}/${key.id}`, { end_sessions: false })).body.code).toBe(0);
    expect(await statusOf(tokens)).toBe(200);
    expect((await refresh(test.api, tokens)).status).toBe(200);
    expect(await keysOfSessions()).toEqual([key.id]);
    // The panel of another administrator may still list the key.
    expect((await admin.delete(`${KEYS}/${key.id}`)).status).toBe(404);
    expect(await keysOfSessions()).toEqual([key.id]);
  });

  it('continue when another key is revoked', async () => {
    const [tokens, { id }] = [await issued(), await makeKey(test.api, ['tokens:issue'])];
    await admin.delete(`${KEYS}/${id}`);
    expect(await statusOf(tokens)).toBe(200);
  });

  it('are not opened on an instance that has cached a revoked key', async () => {
    expect((await issue(other)).status).toBe(200);
    await admin.delete(`${KEYS}/${key.id}`);
    expect((await issue(other)).body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
    expect(await keysOfSessions()).toEqual([]);
  });

  it('do not remain after a concurrent revocation', async () => {
    expect((await issue(other)).status).toBe(200);
    await Promise.all([issue(other), admin.delete(`${KEYS}/${key.id}`), issue(other), issue()]);
    expect(await keysOfSessions()).toEqual([]);
  });

  it('return 422 when end_sessions is not a boolean, and the key stays valid', async () => {
    const response = await admin.delete(`${KEYS}/${key.id}`, { end_sessions: 'yes' });
    expect([response.body.code, response.body.message]).toEqual([422, 'end_sessions 取值无效']);
    expect((await issue()).status).toBe(200);
  });
});
