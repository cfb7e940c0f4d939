import { decodeJwt } from 'jose';
import { createUser, login, PASSWORD, refresh, signIn, type Tokens } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const DONE = { code: 0, message: '操作成功', data: null };
const UNAUTHORIZED = { code: 401, message: '未授权', data: null };
const SESSION_OVER = { code: 401, message: '登录已失效,请重新登录', data: null };
const NOT_FOUND = { code: 404, message: '会话不存在', data: null };
const PATH = '/api/auth/sessions';

interface Session {
  id: number;
  current: boolean;
}

describe('The user’s own sessions', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { TRUST_PROXY: 'true' } });
    other = await createTestApp({ database: test.database, clock: test.clock });
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  let account: string;
  let count = 0;
  beforeEach(async () => {
    account = `own-${(count += 1)}`;
    await createUser(admin, account);
  });

  const by = ({ access_token }: Tokens, app = test) => app.api.withToken(access_token);
  const sessionsOf = async (tokens: Tokens): Promise<Session[]> =>
    (await by(tokens).get(PATH)).body.data.items as Session[];
  const currentOf = async (tokens: Tokens): Promise<number> =>
    (await sessionsOf(tokens)).find(({ current }) => current)?.id ?? 0;
  const profileStatus = async (tokens: Tokens, app = test) =>
    (await by(tokens, app).get('/api/auth/me')).status;
  const later = (seconds: number): string => {
    test.clock.advance(seconds);
    return test.clock.now().toISOString();
  };

  it('are listed with time, address and client of their last use, most recent first', async () => {
    const phone = test.api.with({ 'user-agent': 'Phone/1.0', 'x-forwarded-for': '203.0.113.7' });
    const began = later(1);
    const first = (await login(phone, account)).body.data as Tokens;
    const secondBegan = later(60);
    const second = (await login(test.api.with({ 'user-agent': '' }), account)).body.data as Tokens;
    const tablet = test.api.with({ 'user-agent': 'Tablet/2.0', 'x-forwarded-for': '2001:db8::7' });

    const response = await by(second).get(PATH);
    expect(response.body).toEqual({
      code: 0,
      message: '操作成功',
      data: {
        items: [
          {
            id: expect.any(Number),
            current: true,
            created_at: secondBegan,
            last_used_at: secondBegan,
            expires_at: new Date(Date.parse(secondBegan) + 2_592_000_000).toISOString(),
            ip: '127.0.0.1',
            user_agent: null,
          },
          {
            id: expect.any(Number),
            current: false,
            created_at: began,
            last_used_at: began,
            expires_at: new Date(Date.parse(began) + 2_592_000_000).toISOString(),
            ip: '203.0.113.7',
            user_agent: 'Phone/1.0',
          },
        ],
      },
    });

    const refreshed = later(60);
    const next = (await refresh(tablet, first)).body.data as Tokens;
    expect((await by(next).get(PATH)).body.data.items).toMatchObject([
      {
        current: true,
        created_at: began,
        last_used_at: refreshed,
        ip: '2001:db8::7',
        user_agent: 'Tablet/2.0',
      },
      { current: false, created_at: secondBegan, last_used_at: secondBegan },
    ]);
  });

  it('have stable numbers that reveal nothing about the token’s session', async () => {
    const tokens = await signIn(test.api, account);
    const id = await currentOf(tokens);
    expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    const { sid } = decodeJwt(tokens.access_token);
    expect(sid).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(await sessionsOf(tokens))).not.toContain(sid);
    const next = (await refresh(test.api, tokens)).body.data as Tokens;
    expect(await currentOf(next)).toBe(id);
  });

  it('store a truncated client name, and no other part of it', async () => {
    const agent = 'x'.repeat(400);
    const tokens = (await login(test.api.with({ 'user-agent': agent }), account)).body.data as Tokens;
    expect(await sessionsOf(tokens)).toMatchObject([{ user_agent: 'x'.repeat(255) }]);
  });

  it('can be ended individually: tokens are rejected immediately here and within ten seconds elsewhere', async () => {
    const mine = await signIn(test.api, account);
    const lost = await signIn(test.api, account);
    const id = await currentOf(lost);
    expect(await profileStatus(lost, other)).toBe(200);
    expect((await by(mine).delete(`${PATH}/${id}`)).body).toEqual(DONE);
    expect((await by(lost).get('/api/auth/me')).body).toEqual(UNAUTHORIZED);
    expect((await refresh(test.api, lost)).body).toEqual(SESSION_OVER);
    expect((await refresh(other.api, lost)).body).toEqual(SESSION_OVER);
    test.clock.advance(10.001);
    expect(await profileStatus(lost, other)).toBe(401);
    expect(await profileStatus(mine)).toBe(200);
    expect(await sessionsOf(mine)).toMatchObject([{ current: true }]);
    expect((await by(mine).delete(`${PATH}/${id}`)).body).toEqual(NOT_FOUND);
  });

  it('include the current one, which can be ended like a log-out', async () => {
    const tokens = await signIn(test.api, account);
    expect((await by(tokens).delete(`${PATH}/${await currentOf(tokens)}`)).body).toEqual(DONE);
    expect((await by(tokens).get('/api/auth/me')).body).toEqual(UNAUTHORIZED);
    expect((await refresh(test.api, tokens)).body).toEqual(SESSION_OVER);
  });

  it('can all be ended except the current one', async () => {
    const mine = await signIn(test.api, account);
    const others = [await signIn(test.api, account), await signIn(other.api, account)];
    await createUser(admin, `${account}-else`);
    const stranger = await signIn(test.api, `${account}-else`);
    expect((await by(mine).delete(PATH)).body).toEqual(DONE);
    for (const tokens of others) {
      expect(await profileStatus(tokens)).toBe(401);
      expect((await refresh(test.api, tokens)).body).toEqual(SESSION_OVER);
    }
    expect([await profileStatus(mine), await profileStatus(stranger)]).toEqual([200, 200]);
    expect(await sessionsOf(mine)).toMatchObject([{ current: true }]);
    expect((await refresh(test.api, mine)).status).toBe(200);
    expect((await by(mine).delete(PATH)).body).toEqual(DONE);
  });

  it('are visible to their user only, and ended by no other user', async () => {
    const mine = await signIn(test.api, account);
    await createUser(admin, `${account}-else`);
    const stranger = await signIn(test.api, `${account}-else`);
    const id = await currentOf(mine);
    expect((await by(stranger).delete(`${PATH}/${id}`)).body).toEqual(NOT_FOUND);
    expect((await admin.delete(`${PATH}/${id}`)).body).toEqual(NOT_FOUND);
    expect((await sessionsOf(stranger)).map((session) => session.id)).not.toContain(id);
    expect(await profileStatus(mine)).toBe(200);
  });

  it('return 422 for an invalid id', async () => {
    const response = await admin.delete(`${PATH}/x`);
    expect(response.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
  });

  it('are all ended by a token without a session, and none of them is current', async () => {
    const tokens = await signIn(test.api, account);
    const { sub } = decodeJwt(tokens.access_token);
    const foreign = await test.api.as({ id: Number(sub) });
    expect((await foreign.get(PATH)).body.data.items).toMatchObject([{ current: false }]);
    expect((await foreign.delete(PATH)).body).toEqual(DONE);
    expect((await foreign.get(PATH)).body.data.items).toEqual([]);
    expect(await profileStatus(tokens)).toBe(401);
  });

  it('disappear from the list when they expire, and cannot be ended then', async () => {
    const old = await signIn(test.api, account);
    const id = await currentOf(old);
    test.clock.advance(2_592_000);
    const fresh = await signIn(test.api, account);
    expect(await sessionsOf(fresh)).toMatchObject([{ current: true }]);
    expect((await by(fresh).delete(`${PATH}/${id}`)).body).toEqual(NOT_FOUND);
  });

  it('are not revived by a concurrent refresh', async () => {
    for (let round = 0; round < 20; round += 1) {
      const mine = await signIn(test.api, account);
      const lost = await signIn(test.api, account);
      const id = await currentOf(lost);
      const [refreshed, ended] = await Promise.all([
        refresh(other.api, lost),
        by(mine).delete(`${PATH}/${id}`),
      ]);
      expect([200, 401]).toContain(refreshed.status);
      expect(ended.body).toEqual(DONE);
      expect((await sessionsOf(mine)).map((session) => session.id)).not.toContain(id);
      if (refreshed.status === 200)
        expect((await refresh(test.api, refreshed.body.data)).body).toEqual(SESSION_OVER);
      await by(mine).delete(PATH);
    }
  });

  it('return 404 to the second of two concurrent requests that end the same one', async () => {
    const mine = await signIn(test.api, account, PASSWORD);
    const lost = await signIn(test.api, account, PASSWORD);
    const path = `${PATH}/${await currentOf(lost)}`;
    const responses = await Promise.all([by(mine).delete(path), by(mine, other).delete(path)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });

  it('include at most the 200 used last', async () => {
    const mine = await signIn(test.api, account);
    const { sub } = decodeJwt(mine.access_token);
    const rows = Array.from(
      { length: 250 },
      (_, index) =>
        `('made-up-${account}-${index}', ${sub}, '2026-03-0${1 + (index % 9)} 08:00:00.000', '2099-01-01 00:00:00.000',
          '2026-01-01 0${index % 10}:00:00.000')`,
    );
    await test.query(
      `INSERT INTO sessions (id, user_id, created_at, expires_at, last_used_at) VALUES ${rows.join(', ')}`,
    );
    const sessions = await sessionsOf(mine);
    expect(sessions).toHaveLength(200);
    expect(sessions[0]).toMatchObject({ current: true });
    expect((await by(mine).delete(PATH)).body).toEqual(DONE);
    expect(await sessionsOf(mine)).toHaveLength(1);
  });
});
