import { createUser, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

/** Look-ups are cached for ten seconds. */
const LATER_SECONDS = 11;

describe('Concurrent look-ups of users', () => {
  let test: TestApp;
  let admin: ApiClient;
  let users: { id: number; client: ApiClient }[];
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    users = [];
    for (const account of ['ann', 'ben', 'cleo', 'dora']) {
      const id = await createUser(admin, account);
      const { access_token } = await signIn(test.api, account);
      users.push({ id, client: test.api.withToken(access_token) });
    }
    await requestAll();
  });
  afterAll(() => test?.close());

  /** Returns the status codes of concurrent requests of all users. */
  const requestAll = async (): Promise<number[]> => {
    const responses = await Promise.all(users.map(({ client }) => client.get('/api/nowhere')));
    return responses.map(({ status }) => status);
  };

  it('take one statement for users and one for sessions, and none for the next ten seconds', async () => {
    test.clock.advance(LATER_SECONDS);
    const asked = await statementsOf(test, async () => {
      expect(await requestAll()).toEqual([404, 404, 404, 404]);
    });
    expect(asked.toSorted()).toEqual([
      'SELECT id, external_id, issuer, status, profile_at FROM users WHERE id IN (?, ?, ?, ?)',
      'SELECT id, user_id, expires_at FROM sessions WHERE id IN (?, ?, ?, ?)',
    ]);
    expect(await statementsOf(test, requestAll)).toEqual([]);
  });

  it('reject disabled users and finished sessions individually', async () => {
    const [ann, ben, cleo] = users;
    await test.query(`UPDATE users SET status = 0 WHERE id = ${ann?.id}`);
    await test.query(`DELETE FROM sessions WHERE user_id = ${ben?.id}`);
    await test.query(
      `UPDATE sessions SET expires_at = '2026-01-01 00:00:00.000' WHERE user_id = ${cleo?.id}`,
    );
    expect(await requestAll()).toEqual([404, 404, 404, 404]);
    test.clock.advance(LATER_SECONDS);
    expect(await requestAll()).toEqual([401, 401, 401, 404]);
    // The cached look-ups lead to the same responses.
    expect(
      await statementsOf(test, async () => expect(await requestAll()).toEqual([401, 401, 401, 404])),
    ).toEqual([]);
  });

  it('reject immediately what was ended on this instance', async () => {
    await admin.put(`/api/admin/users/${users[3]?.id}`, { status: 0 });
    expect(await requestAll()).toEqual([401, 401, 401, 401]);
  });
});
