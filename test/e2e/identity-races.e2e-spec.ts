import { createUser, login, PASSWORD, refresh, signIn, type Tokens } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const REPETITIONS = raceRounds(50);

describe('Identity, raced', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    await createUser(admin, 'racer');
  });
  afterAll(() => test?.close());

  const statusOfMe = async ({ access_token }: Tokens): Promise<number> =>
    (await test.api.withToken(access_token).get('/api/auth/me')).status;

  it('leaves nothing alive of a session that ends while it is refreshed', async () => {
    for (let round = 0; round < REPETITIONS; round += 1) {
      const tokens = await signIn(test.api, 'racer');
      const [refreshed] = await Promise.all([
        refresh(test.api, tokens),
        test.api.post('/api/auth/logout', { refresh_token: tokens.refresh_token }),
      ]);
      const left = refreshed.status === 200 ? (refreshed.body.data as Tokens) : tokens;
      expect((await refresh(test.api, left)).status).toBe(401);
      expect(await statusOfMe(left)).toBe(401);
    }
  });

  it('leaves no session of the old password alive when it is changed during a log-in', async () => {
    const id = await createUser(admin, 'rotating');
    for (let round = 0; round < REPETITIONS; round += 1) {
      await admin.put(`/api/admin/users/${id}/password`, { password: PASSWORD });
      const [attempt] = await Promise.all([
        login(test.api, 'rotating'),
        admin.put(`/api/admin/users/${id}/password`, { password: `password ${round}` }),
      ]);
      if (attempt.status === 200) expect(await statusOfMe(attempt.body.data)).toBe(401);
      else expect(attempt.status).toBe(401);
    }
  });

  it('answers no more guesses than the limit allows, though forty arrive at once', async () => {
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

  it('lets forty log in to one account at once who know its password', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(test.api, 'racer')));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  });
});
