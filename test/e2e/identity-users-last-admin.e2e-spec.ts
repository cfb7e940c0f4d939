import { createUser, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

describe('User administration', () => {
  describe('The last administrator who can log in', () => {
    let own: TestApp;
    let bossId: number;
    let boss: ApiClient;
    const rejection = (field: string) => ({ code: 422, message: `${field} 取值无效`, data: null });
    beforeEach(async () => {
      own = await createTestApp();
      const stranger = await own.api.as({ id: 900_001, role: 'admin' });
      bossId = await createUser(stranger, 'boss', { role: 'admin' });
      boss = own.api.withToken((await signIn(own.api, 'boss')).access_token);
    });
    afterEach(() => own?.close());

    it('cannot be disabled or demoted from a session', async () => {
      const path = `/api/admin/users/${bossId}`;
      expect((await boss.put(path, { status: 0 })).body).toEqual(rejection('status'));
      expect((await boss.put(path, { role: 'user' })).body).toEqual(rejection('role'));
      expect((await boss.put(path, { role: 'user', status: 0 })).body).toEqual(rejection('role'));
      expect((await boss.put(path, { name: 'Chief', role: 'admin', status: 1 })).body.data).toMatchObject({
        name: 'Chief',
        role: 'admin',
        status: 1,
      });
    });

    it('can be removed when there is another one who is enabled and has a password', async () => {
      const path = `/api/admin/users/${bossId}`;
      const other = await createUser(boss, 'other', { role: 'admin' });
      await boss.put(`/api/admin/users/${other}`, { status: 0 });
      expect((await boss.put(path, { role: 'user' })).body).toEqual(rejection('role'));
      await boss.put(`/api/admin/users/${other}`, { status: 1 });
      expect((await boss.put(path, { role: 'user' })).body.data).toMatchObject({ role: 'user' });
    });

    it('can be removed by an administrator of an identity provider', async () => {
      const stranger = await own.api.as({ id: 900_001, role: 'admin' });
      expect((await stranger.put(`/api/admin/users/${bossId}`, { status: 0 })).body.data).toMatchObject({
        status: 0,
      });
    });

    it('with the stored role cannot be removed by an administrator of an identity provider', async () => {
      const stranger = await own.api.as({ id: 900_001, role: 'admin' });
      await stranger.put(`/api/admin/users/${bossId}`, { role: 'user' });
      const path = '/api/admin/users/900001';
      expect((await stranger.put(path, { role: 'user' })).body).toEqual(rejection('role'));
      expect((await stranger.put(path, { status: 0 })).body).toEqual(rejection('status'));
      const many = { user_ids: [900_001, bossId], role: 'user' };
      expect((await stranger.put('/api/admin/users/bulk', many)).body).toEqual(rejection('role'));
    });

    it('does not prevent disabling others', async () => {
      const other = await createUser(boss, 'other', { role: 'admin' });
      const user = await createUser(boss, 'user');
      expect((await boss.put(`/api/admin/users/${user}`, { status: 0 })).status).toBe(200);
      expect((await boss.put(`/api/admin/users/${other}`, { role: 'user' })).status).toBe(200);
    });
  });
});
