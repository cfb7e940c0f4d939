import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { clientWithKey } from '../support/keys';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { block, unblock } from '../support/people';
import { createTestApp, type TestApp } from '../support/test-app';

const CONVERSATIONS = '/api/messages/conversations';
const UNKNOWN_ID = 987_654_321;
const NOT_FOUND = [404, '用户不存在'];

describe('Users without a shared conversation or call', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  const meet = async (): Promise<void> => {
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
  };
  /** Returns a client with a token of the user that has the role `admin`. */
  const boss = ({ id }: ChatUser): Promise<ApiClient> => test.api.as({ id, role: 'admin' });
  const openSingle = ({ api }: { api: ApiClient }, peer_id: number) =>
    api.post(CONVERSATIONS, { type: 'single', peer_id });
  const group = ({ api }: { api: ApiClient }, member_ids: number[]) =>
    api.post(CONVERSATIONS, { type: 'group', name: 'Group', member_ids });
  const call = ({ api }: { api: ApiClient }, callee_id: number) => api.post('/api/calls', { callee_id });

  describe('with USER_DIRECTORY=off', () => {
    beforeAll(async () => {
      test = await createTestApp({ env: { USER_DIRECTORY: 'off' } });
    });
    beforeEach(meet);
    afterAll(() => test.close());

    it('look unknown when a chat or a call with them is created', async () => {
      for (const id of [ben.id, UNKNOWN_ID]) {
        expect(errorOf(await openSingle(ann, id))).toEqual(NOT_FOUND);
        expect(errorOf(await call(ann, id))).toEqual(NOT_FOUND);
      }
      expect(dataOf(await ann.api.get(CONVERSATIONS)).items).toEqual([]);
      expect(dataOf(await ann.api.get('/api/calls')).items).toEqual([]);
      expect(dataOf(await ben.api.get('/api/calls')).items).toEqual([]);
    });

    it('look unknown in a new group and as new members', async () => {
      const unknown = [422, `用户不存在: ${ben.id}, ${UNKNOWN_ID}`];
      expect(errorOf(await group(ann, [ben.id, UNKNOWN_ID]))).toEqual(unknown);
      const { id } = dataOf(await group(ann, [ann.id]));
      const added = await ann.api.post(`${CONVERSATIONS}/${id}/members`, { user_ids: [ben.id, UNKNOWN_ID] });
      expect(errorOf(added)).toEqual(unknown);
    });

    it('become known when an administrator creates a group with both', async () => {
      dataOf(
        await (
          await boss(cat)
        ).post(CONVERSATIONS, {
          type: 'group',
          name: 'Group',
          member_ids: [ann.id, ben.id],
        }),
      );
      expect((await ann.api.get(`/api/users/${ben.id}`)).status).toBe(200);
      expect((await openSingle(ann, ben.id)).body.code).toBe(0);
      expect((await group(ben, [ann.id])).body.code).toBe(0);
      expect((await call(ben, ann.id)).body.code).toBe(0);
    });

    it('become known when an API key opens a chat on behalf of one of them', async () => {
      const key = await clientWithKey(test.api, ['messages:send-as']);
      const asAnn = key.with({ 'x-on-behalf-of': String(ann.id) });
      dataOf(await asAnn.post(CONVERSATIONS, { type: 'single', peer_id: ben.id }));
      expect((await openSingle(ben, ann.id)).body.code).toBe(0);
      expect((await call(ann, ben.id)).body.code).toBe(0);
    });

    it('become known to the callee by calling', async () => {
      dataOf(await (await boss(ann)).post('/api/calls', { callee_id: ben.id }));
      expect((await ann.api.get(`/api/users/${ben.id}`)).status).toBe(404);
      expect((await ben.api.get(`/api/users/${ann.id}`)).status).toBe(200);
      expect((await openSingle(ben, ann.id)).body.code).toBe(0);
    });
  });

  describe('with USER_DIRECTORY=exact', () => {
    beforeAll(async () => {
      test = await createTestApp();
    });
    beforeEach(meet);
    afterAll(() => test.close());

    const statusOfProfile = async (id: number): Promise<number> =>
      (await ann.api.get(`/api/users/${id}`)).status;

    it('count as searches when their profiles are read, as do unknown ids', async () => {
      for (let count = 0; count < 14; count += 1) await ann.api.get('/api/users?keyword=nobody');
      for (let count = 0; count < 8; count += 1) {
        expect(await statusOfProfile(ben.id)).toBe(200);
        expect(await statusOfProfile(UNKNOWN_ID)).toBe(404);
      }
      for (const id of [ben.id, UNKNOWN_ID]) {
        const refused = await ann.api.get(`/api/users/${id}`);
        expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
      }
      expect((await ann.api.get('/api/users?keyword=nobody')).status).toBe(429);
      expect((await block(ann.api, ben.id)).status).toBe(429);
      test.clock.advance(60);
      expect(await statusOfProfile(ben.id)).toBe(200);
    });

    it('are not counted when they are blocked already', async () => {
      expect((await block(ann.api, ben.id)).status).toBe(200);
      for (let count = 0; count < 30; count += 1) expect((await block(ann.api, ben.id)).status).toBe(200);
      expect((await unblock(ann.api, ben.id)).status).toBe(200);
      expect((await ann.api.get('/api/users?keyword=nobody')).status).toBe(200);
    });

    it('are not counted after a message, nor is the user’s own profile', async () => {
      await ben.openSingle(ann.id);
      for (let count = 0; count < 31; count += 1) {
        expect(await statusOfProfile(ben.id)).toBe(200);
        expect(await statusOfProfile(ann.id)).toBe(200);
      }
    });

    it('are found by id, and can be added to chats, calls and groups', async () => {
      expect((await openSingle(ann, ben.id)).body.code).toBe(0);
      expect((await group(ann, [ben.id, cat.id])).body.code).toBe(0);
      expect((await call(ann, cat.id)).body.code).toBe(0);
    });
  });
});
