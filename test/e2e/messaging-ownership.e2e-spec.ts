import { DataSource } from 'typeorm';
import { ChatUser, switchToLargeGroup, repairConversationCounts, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { stopJobs } from '../support/jobs';
import { createTestApp, START, type TestApp } from '../support/test-app';

const FORBIDDEN = [403, '无权操作'];
const NO_ACCESS = [403, '无权访问此会话'];

describe('The owner of a group', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const rolesIn = async (id: number): Promise<string[]> =>
    Promise.all([ann, ben].map(async (who) => (await who.conversation(id)).role));
  const lastEventOf = async (who: ChatUser): Promise<object> =>
    (await who.api.get('/api/events/poll?limit=500')).body.data.items.at(-1);

  describe('transfers it', () => {
    it('to another member, and becomes an ordinary member', async () => {
      expect(await ann.transfer(group, 2)).toMatchObject({ id: group, role: 'member' });
      expect(await rolesIn(group)).toEqual(['member', 'owner']);
      expect(errorOf(await ann.tryTransfer(group, 2))).toEqual(FORBIDDEN);
      expect((await ben.transfer(group, 1)).role).toBe('member');
      expect(await rolesIn(group)).toEqual(['owner', 'member']);
    });

    it('and every member receives an event', async () => {
      await ann.transfer(group, 2);
      for (const [who, role] of [
        [ann, 'member'],
        [ben, 'owner'],
      ] as const)
        expect(await lastEventOf(who)).toMatchObject({
          type: 'conversation.updated',
          conversation: { id: group, role },
        });
    });

    it('to the same owner without a change or event', async () => {
      const before = await lastEventOf(ben);
      expect(await ann.transfer(group, 1)).toMatchObject({ id: group, role: 'owner' });
      expect(await lastEventOf(ben)).toEqual(before);
    });

    it('only to members', async () => {
      expect(errorOf(await ann.tryTransfer(group, 3))).toEqual([404, '用户不存在']);
      expect(errorOf(await ann.tryTransfer(group, 987_654))).toEqual([404, '用户不存在']);
      expect(errorOf(await ann.tryTransfer(group, undefined))).toEqual([422, 'user_id 字段不能为空']);
      expect(errorOf(await ann.tryTransfer(group, '2'))).toEqual([422, 'user_id 必须是整数']);
      expect(errorOf(await ben.tryTransfer(group, 3))).toEqual(FORBIDDEN);
      expect(errorOf(await cat.tryTransfer(group, 2))).toEqual(NO_ACCESS);
      expect(errorOf(await ann.tryTransfer(await ann.openSingle(2), 2))).toEqual(FORBIDDEN);
    });

    it('to one of several concurrent targets', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await ann.createGroup([2, 3]);
        const responses = await Promise.all([
          ann.tryTransfer(id, 2),
          ann.tryTransfer(id, 3),
          ann.tryRemove(id, 2),
          ann.tryTransfer(id, 2),
        ]);
        expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
        const owners = await test.query(
          `SELECT user_id FROM conversation_members WHERE conversation_id = ${id} AND role = 'owner'`,
        );
        expect(owners).toHaveLength(1);
      }
    });
  });

  describe('dissolves it', () => {
    it('for all members, who receive an event', async () => {
      await ben.send(group);
      expect((await ann.tryDissolve(group)).body).toEqual({ code: 0, message: '操作成功', data: null });
      for (const who of [ann, ben]) {
        expect(errorOf(await who.tryConversation(group))).toEqual(NO_ACCESS);
        expect(await lastEventOf(who)).toMatchObject({ type: 'conversation.left', conversation_id: group });
      }
      expect(errorOf(await ann.tryDissolve(group))).toEqual(NO_ACCESS);
      expect(
        await test.query(`SELECT * FROM abandoned_conversations WHERE conversation_id = ${group}`),
      ).toHaveLength(1);
    });

    it.each(['small', 'large'])('as a %s one, and all counts exclude it', async (size) => {
      const id = await cat.createGroup([1, 2]);
      if (size === 'large') await switchToLargeGroup(test, id);
      await cat.send(id);
      await ann.settings(id, { hidden: true });
      await ben.settings(id, { mute_until: '2026-01-31T09:00:00.000Z' });
      const before = await ann.unreadTotal();
      await cat.dissolve(id);
      expect(await ann.unreadTotal()).toBe(before - 1);
      expect(await ann.listedIds('?hidden=1')).not.toContain(id);
      expect(await repairConversationCounts(test)).toEqual([]);
      expect(await test.query(`SELECT * FROM mute_ends WHERE conversation_id = ${id}`)).toEqual([]);
    });

    it('and other members cannot', async () => {
      expect(errorOf(await ben.tryDissolve(group))).toEqual(FORBIDDEN);
      expect(errorOf(await cat.tryDissolve(group))).toEqual(NO_ACCESS);
      expect(errorOf(await ann.tryDissolve(await ann.openSingle(2)))).toEqual(FORBIDDEN);
      expect((await ann.conversation(group)).member_count).toBe(2);
    });

    it('once, and concurrent messages are stored in it or rejected', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await ann.createGroup([2, 3]);
        const responses = await Promise.all([
          ben.trySend(id, { type: 'text', content: 'x' }),
          ann.tryDissolve(id),
          ann.tryDissolve(id),
          cat.trySettings(id, { pinned: true }),
          ann.tryAdd(id, [2, 3]),
        ]);
        expect(
          responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 403),
        ).toEqual([]);
        expect(new Set(responses.slice(1, 3).map(({ body }) => body.code))).toEqual(new Set([0, 403]));
        expect(errorOf(await ben.tryConversation(id))).toEqual(NO_ACCESS);
      }
      expect(await repairConversationCounts(test)).toEqual([]);
    });
  });
});
