import { createUser, login, PASSWORD, refresh, signIn, type Tokens } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const REPETITIONS = raceRounds(50);

describe('Concurrent identity requests', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    await createUser(admin, 'racer');
  });
  afterAll(() => test?.close());

  const profileStatus = async ({ access_token }: Tokens): Promise<number> =>
    (await test.api.withToken(access_token).get('/api/auth/me')).status;

  it('leave no valid token of a session that ends during a refresh', async () => {
    for (let round = 0; round < REPETITIONS; round += 1) {
      const tokens = await signIn(test.api, 'racer');
      const [refreshed] = await Promise.all([
        refresh(test.api, tokens),
        test.api.post('/api/auth/logout', { refresh_token: tokens.refresh_token }),
      ]);
      const left = refreshed.status === 200 ? (refreshed.body.data as Tokens) : tokens;
      expect((await refresh(test.api, left)).status).toBe(401);
      expect(await profileStatus(left)).toBe(401);
    }
  });

  it('leave no session of the old password when it changes during a log-in', async () => {
    const id = await createUser(admin, 'rotating');
    for (let round = 0; round < REPETITIONS; round += 1) {
      await admin.put(`/api/admin/users/${id}/password`, { password: PASSWORD });
      const [attempt] = await Promise.all([
        login(test.api, 'rotating'),
        admin.put(`/api/admin/users/${id}/password`, { password: `password ${round}` }),
      ]);
      if (attempt.status === 200) expect(await profileStatus(attempt.body.data)).toBe(401);
      else expect(attempt.status).toBe(401);
    }
  });

  it('count forty concurrent guesses against the limit', async () => {
    const strict = await createTestApp();
    const boss = await strict.api.as({ id: 900_001, role: 'admin' });
    await createUser(boss, 'target');
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, guess) =>
        login(strict.api, 'target', guess === 39 ? PASSWORD : `guess ${guess}`),
      ),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    await strict.close();
  });

  it('allow forty concurrent log-ins with the correct password', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => login(test.api, 'racer')));
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200));
  });
});
