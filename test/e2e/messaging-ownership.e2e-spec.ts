import { DataSource } from 'typeorm';
import { Chatter, makeLarge, repairConversationCounts, verdictOf } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { stopJobs } from '../support/jobs';
import { createTestApp, START, type TestApp } from '../support/test-app';

const FORBIDDEN = [403, '无权操作'];
const NO_ACCESS = [403, '无权访问此会话'];

describe('The owner of a group', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    [ann, ben, cat] = await Chatter.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2]);
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const rolesIn = async (id: number): Promise<string[]> =>
    Promise.all([ann, ben].map(async (who) => (await who.conversation(id)).role));
  const lastEventOf = async (who: Chatter): Promise<object> =>
    (await who.api.get('/api/events/poll?limit=500')).body.data.items.at(-1);

  describe('hands it over', () => {
    it('to another member, and is one like any then', async () => {
      expect(await ann.transfer(group, 2)).toMatchObject({ id: group, role: 'member' });
      expect(await rolesIn(group)).toEqual(['member', 'owner']);
      expect(verdictOf(await ann.tryTransfer(group, 2))).toEqual(FORBIDDEN);
      expect((await ben.transfer(group, 1)).role).toBe('member');
      expect(await rolesIn(group)).toEqual(['owner', 'member']);
    });

    it('and every member is told', async () => {
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

    it('to oneself, which changes nothing and is told nobody', async () => {
      const before = await lastEventOf(ben);
      expect(await ann.transfer(group, 1)).toMatchObject({ id: group, role: 'owner' });
      expect(await lastEventOf(ben)).toEqual(before);
    });

    it('only within it', async () => {
      expect(verdictOf(await ann.tryTransfer(group, 3))).toEqual([404, '用户不存在']);
      expect(verdictOf(await ann.tryTransfer(group, 987_654))).toEqual([404, '用户不存在']);
      expect(verdictOf(await ann.tryTransfer(group, undefined))).toEqual([422, 'user_id 字段不能为空']);
      expect(verdictOf(await ann.tryTransfer(group, '2'))).toEqual([422, 'user_id 必须是整数']);
      expect(verdictOf(await ben.tryTransfer(group, 3))).toEqual(FORBIDDEN);
      expect(verdictOf(await cat.tryTransfer(group, 2))).toEqual(NO_ACCESS);
      expect(verdictOf(await ann.tryTransfer(await ann.openSingle(2), 2))).toEqual(FORBIDDEN);
    });

    it('to one alone, whoever are named at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await ann.createGroup([2, 3]);
        const answers = await Promise.all([
          ann.tryTransfer(id, 2),
          ann.tryTransfer(id, 3),
          ann.tryRemove(id, 2),
          ann.tryTransfer(id, 2),
        ]);
        expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
        const owners = await test.query(
          `SELECT user_id FROM conversation_members WHERE conversation_id = ${id} AND role = 'owner'`,
        );
        expect(owners).toHaveLength(1);
      }
    });
  });

  describe('ends it', () => {
    it('for everybody, who are told so', async () => {
      await ben.send(group);
      expect((await ann.tryDissolve(group)).body).toEqual({ code: 0, message: '操作成功', data: null });
      for (const who of [ann, ben]) {
        expect(verdictOf(await who.tryConversation(group))).toEqual(NO_ACCESS);
        expect(await lastEventOf(who)).toMatchObject({ type: 'conversation.left', conversation_id: group });
      }
      expect(verdictOf(await ann.tryDissolve(group))).toEqual(NO_ACCESS);
      expect(
        await test.query(`SELECT * FROM abandoned_conversations WHERE conversation_id = ${group}`),
      ).toHaveLength(1);
    });

    it.each(['small', 'large'])('a %s one, and nobody’s counts keep anything of it', async (size) => {
      const id = await cat.createGroup([1, 2]);
      if (size === 'large') await makeLarge(test, id);
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

    it('and nobody else does', async () => {
      expect(verdictOf(await ben.tryDissolve(group))).toEqual(FORBIDDEN);
      expect(verdictOf(await cat.tryDissolve(group))).toEqual(NO_ACCESS);
      expect(verdictOf(await ann.tryDissolve(await ann.openSingle(2)))).toEqual(FORBIDDEN);
      expect((await ann.conversation(group)).member_count).toBe(2);
    });

    it('once, and what is sent meanwhile is in it or refused', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await ann.createGroup([2, 3]);
        const answers = await Promise.all([
          ben.trySend(id, { type: 'text', content: 'x' }),
          ann.tryDissolve(id),
          ann.tryDissolve(id),
          cat.trySettings(id, { pinned: true }),
          ann.tryAdd(id, [2, 3]),
        ]);
        expect(
          answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 403),
        ).toEqual([]);
        expect(new Set(answers.slice(1, 3).map(({ body }) => body.code))).toEqual(new Set([0, 403]));
        expect(verdictOf(await ben.tryConversation(id))).toEqual(NO_ACCESS);
      }
      expect(await repairConversationCounts(test)).toEqual([]);
    });
  });
});
