import { createUser, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { block, unblock } from '../support/people';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const FACE = 'https://pictures.example/face.png';

/** Returns the types and payloads of a user's events. */
async function eventsOf(user: ApiClient): Promise<object[]> {
  const { items } = dataOf(await user.get('/api/events/poll?limit=500'));
  return items.map(({ id: _id, created_at: _at, ...event }: Record<string, unknown>) => event);
}

describe('Profiles', () => {
  let test: TestApp;
  let admin: ApiClient;
  const start = async (env: NodeJS.ProcessEnv): Promise<void> => {
    test = await createTestApp({ env });
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  };
  const stop = () => test?.close();

  describe('by default', () => {
    beforeAll(() => start({}));
    afterAll(stop);

    it('are visible to all users, each with the relation to the caller', async () => {
      const [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
      const profile = async () => dataOf(await ann.api.get(`/api/users/${ben.id}`));
      const seen = { id: ben.id, name: `User ${ben.id}`, avatar: null, is_active: true, is_blocked: false };
      expect(await profile()).toEqual({ ...seen, conversation_id: null });
      const chat = await ben.openSingle(ann.id);
      await block(ann.api, ben.id);
      expect(await profile()).toEqual({ ...seen, is_blocked: true, conversation_id: chat });
      // No event informs a user about a block.
      expect(dataOf(await ben.api.get(`/api/users/${ann.id}`)).is_blocked).toBe(false);
      await unblock(ann.api, ben.id);
      await admin.put(`/api/admin/users/${ben.id}`, { status: 0 });
      expect(await profile()).toEqual({ ...seen, is_active: false, conversation_id: chat });
      expect(dataOf(await ann.api.get(`/api/users/${ann.id}`))).toMatchObject({
        id: ann.id,
        conversation_id: null,
      });
      expect(errorOf(await ann.api.get('/api/users/123456789'))).toEqual([404, '用户不存在']);
      expect(errorOf(await ann.api.get('/api/users/nobody'))).toEqual([422, 'id 必须是整数']);
    });

    it('are changed by their user, only in the given fields', async () => {
      const id = await createUser(admin, 'ann', { name: 'Ann' });
      const { access_token, terminal_id } = await signIn(test.api, 'ann');
      const ann = test.api.withToken(access_token);
      const own = { id, account: 'ann', avatar: null, role: 'user', created_at: START, terminal_id };
      const shown = { ...own, name: 'Ann', discoverable: true, presence_visible: true };
      expect(dataOf(await ann.get('/api/auth/me'))).toEqual(shown);
      expect(dataOf(await ann.put('/api/auth/me', {}))).toEqual(shown);
      expect(dataOf(await ann.put('/api/auth/me', { name: 'Anna', avatar: FACE }))).toEqual({
        ...shown,
        name: 'Anna',
        avatar: FACE,
      });
      const changed = { ...shown, name: 'Anna', discoverable: false, presence_visible: false };
      const body = { avatar: null, discoverable: false, presence_visible: false };
      expect(dataOf(await ann.put('/api/auth/me', body))).toEqual(changed);
      expect(dataOf(await ann.get('/api/auth/me'))).toEqual(changed);
    });

    it.each([
      [{ name: '' }, 'name 字段不能为空'],
      [{ name: ' ' }, 'name 字段不能为空'],
      [{ name: 5 }, 'name 必须是字符串'],
      [{ name: 'x'.repeat(51) }, 'name 长度不能超过 50 个字符'],
      [{ name: 'a\ud800' }, 'name 取值无效'],
      [{ avatar: 'javascript:alert(1)' }, 'avatar 取值无效'],
      [{ avatar: `https://x.example/${'x'.repeat(500)}` }, 'avatar 长度不能超过 500 个字符'],
      [{ discoverable: 1 }, 'discoverable 取值无效'],
      [{ presence_visible: 'true' }, 'presence_visible 取值无效'],
      [[], '请求体 必须是对象'],
    ])('reject %j', async (body, message) => {
      const [id = 0] = newUserIds(1);
      const ann = await testUser(test.api, { id });
      expect(errorOf(await ann.put('/api/auth/me', body))).toEqual([422, message]);
    });

    it('publish one event for each change of name or picture, and none without a change', async () => {
      const [id = 0] = newUserIds(1);
      const ann = await testUser(test.api, { id, name: 'Ann' });
      await ann.put('/api/auth/me', { name: 'Ann', avatar: null, discoverable: true });
      expect(await eventsOf(ann)).toEqual([]);
      await ann.put('/api/auth/me', { name: 'Anna', discoverable: false });
      await admin.put(`/api/admin/users/${id}`, { name: 'Anna', status: 1 });
      await admin.put(`/api/admin/users/${id}`, { account: 'anna', avatar: FACE });
      await admin.put(`/api/admin/users/${id}`, { role: 'user' });
      const user = { id, account: null, name: 'Anna', avatar: null, role: 'user', created_at: START };
      const more = { discoverable: false, presence_visible: true };
      expect(await eventsOf(ann)).toEqual([
        { type: 'user.updated', user: { ...user, ...more } },
        { type: 'user.updated', user: { ...user, ...more, account: 'anna', avatar: FACE } },
      ]);
    });
  });

  describe('under other configurations', () => {
    afterEach(stop);

    it('return the same 404 as unknown users to outsiders when the directory is off', async () => {
      await start({ USER_DIRECTORY: 'off' });
      const people = await ChatUser.signInAll(test.api, newUserIds(4));
      const [ann, ben, cat, dan] = people as [ChatUser, ChatUser, ChatUser, ChatUser];
      const see = async ({ id }: ChatUser) => (await ann.api.get(`/api/users/${id}`)).body.code;
      const [benAsAdmin, catAsAdmin] = await Promise.all([
        test.api.as({ id: ben.id, role: 'admin' }),
        test.api.as({ id: cat.id, role: 'admin' }),
      ]);
      await benAsAdmin.post('/api/messages/conversations', { type: 'single', peer_id: ann.id });
      await catAsAdmin.post('/api/calls', { callee_id: ann.id });
      expect([await see(ann), await see(ben), await see(cat), await see(dan)]).toEqual([0, 0, 0, 404]);
      const [stranger, nobody] = await Promise.all([
        ann.api.get(`/api/users/${dan.id}`),
        ann.api.get('/api/users/123456789'),
      ]);
      expect(stranger.text).toBe(nobody.text);
      expect((await admin.get(`/api/users/${dan.id}`)).status).toBe(200);
      // Blocking does not reveal it either.
      expect((await block(ann.api, dan.id)).text).toBe(nobody.text);
      expect((await unblock(ann.api, dan.id)).text).toBe(nobody.text);
      expect((await block(ann.api, ben.id)).body.code).toBe(0);
    });

    it.each([[{ PROFILE_EDITING: 'off' }], [{ PROFILE_SOURCE: 'token' }]])(
      'keep names and pictures under %j, but not the visibility settings',
      async (env) => {
        await start(env);
        const ann = await testUser(test.api, { id: 7, name: 'Ann' });
        for (const body of [{ name: 'Anna' }, { avatar: FACE }, { avatar: null, discoverable: false }])
          expect(errorOf(await ann.put('/api/auth/me', body))).toEqual([403, '无权操作']);
        expect(errorOf(await ann.put('/api/auth/me', { name: 5 }))).toEqual([422, 'name 必须是字符串']);
        expect(dataOf(await ann.put('/api/auth/me', { discoverable: false }))).toMatchObject({
          name: 'Ann',
          discoverable: false,
        });
      },
    );
  });
});
