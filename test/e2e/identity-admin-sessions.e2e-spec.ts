import { decodeJwt } from 'jose';
import { createUser, login, refresh, signIn, type Tokens } from '../support/accounts';
import type { ApiResponse, ApiClient } from '../support/api-client';
import { auditRows } from '../support/audit/audit-rows';
import { EventReader } from '../support/event-reader';
import { createTestApp, type TestApp } from '../support/test-app';

const DONE = { code: 0, message: '操作成功', data: null };
const UNAUTHORIZED = { code: 401, message: '未授权', data: null };

interface Session {
  id: number;
  current: boolean;
}

const NOT_FOUND: Session = { id: 0, current: false };

describe('The sessions of a user in the admin panel', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    for (const { app } of [test, other]) await app.listen(0, '127.0.0.1');
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  let count = 0;
  let account: string;
  let userId: number;
  let path: string;
  beforeEach(async () => {
    account = `held-${(count += 1)}`;
    userId = await createUser(admin, account);
    path = `/api/admin/users/${userId}/sessions`;
  });

  const by = ({ access_token }: Tokens, app = test) => app.api.withToken(access_token);
  const me = ({ access_token }: Tokens, app = test): Promise<ApiResponse> =>
    app.api.withToken(access_token).get('/api/auth/me');
  const sessions = async (client = admin): Promise<Session[]> =>
    (await client.get(path)).body.data.items as Session[];
  const audited = async () =>
    (await test.query(
      'SELECT actor_id, action, object_type, object_id, fields_before, fields_after FROM audit_log ORDER BY id',
    )) as Record<string, unknown>[];

  it('are listed with those of other users, most recently used first', async () => {
    await login(test.api, account);
    const otherAccount = `${account}-b`;
    const otherId = await createUser(admin, otherAccount);
    test.clock.advance(1_000);
    await login(test.api, otherAccount);
    const all = (await admin.get('/api/admin/sessions?per_page=2')).body.data;
    expect(all.items).toMatchObject([
      { user_id: otherId, user_name: otherAccount, current: false, api_key_id: null },
      { user_id: userId, user_name: account },
    ]);
    const own = (await admin.get(`/api/admin/sessions?user_id=${otherId}`)).body.data;
    expect(own.pagination.total).toBe(1);
    expect(own.items[0].user_id).toBe(otherId);
  });

  it('equal those that the user sees, and current marks the requesting session', async () => {
    const tokens = await signIn(test.api.with({ 'user-agent': 'Phone/1.0' }), account);
    const own = (await by(tokens).get('/api/auth/sessions')).body.data.items;
    const response = await admin.get(path);
    expect(response.body).toEqual({
      code: 0,
      message: '操作成功',
      data: { items: own.map((session: Session) => ({ ...session, current: false, api_key_id: null })) },
    });
    expect(response.body.data.items).toMatchObject([{ user_agent: 'Phone/1.0', ip: '127.0.0.1' }]);
    await createUser(admin, `${account}-boss`, { role: 'admin' });
    const boss = await signIn(test.api, `${account}-boss`);
    const { sub } = decodeJwt(boss.access_token);
    expect((await by(boss).get(`/api/admin/users/${sub}/sessions`)).body.data.items).toMatchObject([
      { current: true },
    ]);
  });

  it('end individually: tokens and streams immediately, without affecting other sessions', async () => {
    const lost = await signIn(test.api, account);
    const [{ id } = NOT_FOUND] = await sessions();
    test.clock.advance(1);
    const kept = await signIn(test.api, account);
    const url = await test.app.getUrl();
    const stream = await EventReader.open(url, { userId, token: lost.access_token });
    expect((await me(lost, other)).status).toBe(200);

    expect((await admin.delete(`${path}/${id}`)).body).toEqual(DONE);
    await stream.ended;
    expect((await me(lost)).body).toEqual(UNAUTHORIZED);
    expect((await refresh(other.api, lost)).status).toBe(401);
    test.clock.advance(10.001);
    expect((await me(lost, other)).body).toEqual(UNAUTHORIZED);
    expect((await me(kept)).status).toBe(200);
    expect((await admin.delete(`${path}/${id}`)).body).toEqual({
      code: 404,
      message: '会话不存在',
      data: null,
    });
  });

  it('end all at once', async () => {
    const all = [await signIn(test.api, account), await signIn(test.api, account)];
    for (const tokens of all) expect((await me(tokens)).status).toBe(200);
    expect((await admin.delete(path)).body).toEqual(DONE);
    for (const tokens of all) expect((await me(tokens)).body).toEqual(UNAUTHORIZED);
    expect(await sessions()).toEqual([]);
    expect((await admin.delete(path)).body).toEqual(DONE);
    expect((await login(test.api, account)).status).toBe(200);
  });

  it('belong to this user only', async () => {
    await signIn(test.api, account);
    const [{ id } = NOT_FOUND] = await sessions();
    const stranger = await createUser(admin, `${account}-stranger`);
    expect((await admin.delete(`/api/admin/users/${stranger}/sessions/${id}`)).body.code).toBe(404);
    expect(await sessions()).toHaveLength(1);
    for (const response of [
      await admin.get('/api/admin/users/123456/sessions'),
      await admin.delete('/api/admin/users/123456/sessions'),
      await admin.delete(`/api/admin/users/123456/sessions/${id}`),
    ])
      expect(response.body).toEqual({ code: 404, message: '用户不存在', data: null });
    const odd = await admin.delete(`${path}/x`);
    expect(odd.body).toEqual({ code: 422, message: 'sessionId 必须是整数', data: null });
  });

  it('write an audit row when any has ended', async () => {
    await test.query('DELETE FROM audit_log');
    await admin.delete(path);
    expect(await audited()).toEqual([]);
    const tokens = await signIn(test.api, account);
    const [{ id } = NOT_FOUND] = await sessions();
    await by(tokens).delete(`/api/auth/sessions/${id}`);
    expect(await audited()).toEqual([]);
    await signIn(test.api.with({ 'user-agent': 'Desk/1.0' }), account);
    const [{ id: next } = NOT_FOUND] = await sessions();
    await admin.delete(`${path}/${next}`);
    await signIn(test.api, account);
    await signIn(test.api, account);
    await admin.delete(path);
    const rows = await audited();
    expect(rows).toMatchObject([
      { actor_id: 900_001, action: 'session.delete', object_id: String(next) },
      { actor_id: 900_001, action: 'session.delete', object_id: null },
    ]);
    expect(JSON.stringify(rows[0])).toContain('Desk/1.0');
    expect(JSON.stringify(rows[1])).toContain('ended');
  });

  it('write one audit row when several requests end them concurrently', async () => {
    for (let count = 0; count < 3; count += 1) await signIn(test.api, account);
    await test.query('DELETE FROM audit_log');
    const elsewhere = await other.api.as({ id: 900_001, role: 'admin' });
    const ends = Array.from({ length: 10 }, (_, n) => (n % 2 ? admin : elsewhere).delete(path));
    for (const response of await Promise.all(ends)) expect(response.body).toEqual(DONE);
    expect(await auditRows(test)).toMatchObject([
      { action: 'session.delete', after: { user_id: userId, ended: 3 } },
    ]);
  });
});
