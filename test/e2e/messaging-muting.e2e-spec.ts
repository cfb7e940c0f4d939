import { DataSource } from 'typeorm';
import { MuteEndsService } from '../../src/messaging/services/mute-ends.service';
import { ChatUser, switchToLargeGroup, repairConversationCounts, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

const AN_HOUR_LATER = '2026-01-31T09:00:00.000Z';

describe('A mute with an end', () => {
  let test: TestApp;
  let nextId = 100;
  let me: ChatUser;
  let peer: ChatUser;
  let id: number;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(async () => {
    test.clock.set(START);
    [me, peer] = (await ChatUser.signInAll(test.api, [(nextId += 1), (nextId += 1)])) as [ChatUser, ChatUser];
    id = await me.createGroup([peer.id]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const muteOf = async (): Promise<[boolean, string | null]> => {
    const { muted, mute_until } = await me.conversation(id);
    return [muted, mute_until];
  };
  const noted = () => test.query(`SELECT * FROM mute_ends WHERE conversation_id = ${id}`);
  const endDue = () => test.app.get(MuteEndsService).endDue();
  const eventsOf = async (who: ChatUser) =>
    (await who.api.get('/api/events/poll?limit=500')).body.data.items as { type: string }[];

  it('is returned with it, from any time zone', async () => {
    expect(await me.settings(id, { mute_until: '2026-01-31T17:00:00+08:00' })).toMatchObject({
      muted: true,
      mute_until: AN_HOUR_LATER,
    });
    expect(await muteOf()).toEqual([true, AN_HOUR_LATER]);
    expect((await me.list()).items).toMatchObject([{ id, muted: true, mute_until: AN_HOUR_LATER }]);
    expect(await peer.conversation(id)).toMatchObject({ muted: false, mute_until: null });
  });

  it.each(['small', 'large'])('ends to the millisecond, in a %s group', async (size) => {
    if (size === 'large') await switchToLargeGroup(test, id);
    await me.settings(id, { mute_until: AN_HOUR_LATER });
    await peer.send(id);
    test.clock.set('2026-01-31T08:59:59.999Z');
    expect([await muteOf(), await me.unreadTotal()]).toEqual([[true, AN_HOUR_LATER], 0]);
    test.clock.set(AN_HOUR_LATER);
    expect([await muteOf(), await me.unreadTotal()]).toEqual([[false, null], 1]);
    await endDue();
    expect([await muteOf(), await me.unreadTotal()]).toEqual([[false, null], 1]);
    await peer.send(id);
    expect(await me.unreadTotal()).toBe(2);
    expect(await me.read(id)).toBe(0);
    expect(await me.unreadTotal()).toBe(0);
    expect(await repairConversationCounts(test)).toEqual([]);
  });

  it('counts messages read and sent between its end and its event', async () => {
    await me.settings(id, { mute_until: AN_HOUR_LATER });
    const first = await peer.send(id);
    await peer.send(id);
    test.clock.set(AN_HOUR_LATER);
    await me.read(id, first.id);
    await peer.send(id);
    expect(await me.unreadTotal()).toBe(2);
    await me.settings(id, { pinned: true });
    expect(await me.unreadTotal()).toBe(2);
    await endDue();
    expect(await me.unreadTotal()).toBe(2);
  });

  it('publishes one event to its user at its end', async () => {
    await me.settings(id, { mute_until: AN_HOUR_LATER });
    const [before, peers] = [(await eventsOf(me)).length, (await eventsOf(peer)).length];
    test.clock.set(AN_HOUR_LATER);
    await Promise.all([endDue(), endDue()]);
    await endDue();
    expect((await eventsOf(me)).slice(before)).toMatchObject([
      { type: 'conversation.updated', conversation: { id, muted: false, mute_until: null }, muted: false },
    ]);
    expect(await eventsOf(peer)).toHaveLength(peers);
    expect(await noted()).toEqual([]);
  });

  it.each([
    ['another end', { mute_until: '2026-01-31T08:30:00.000Z' }, [true, '2026-01-31T08:30:00.000Z']],
    ['null', { mute_until: null }, [false, null]],
    ['muted', { muted: true }, [true, null]],
    ['not muted', { muted: false }, [false, null]],
    ['both', { muted: false, mute_until: '2026-01-31T08:30:00Z' }, [true, '2026-01-31T08:30:00.000Z']],
    ['something else', { pinned: true }, [true, AN_HOUR_LATER]],
    ['nothing', {}, [true, AN_HOUR_LATER]],
  ])('is replaced by %s', async (_, settings, expected) => {
    await me.settings(id, { mute_until: AN_HOUR_LATER });
    await me.settings(id, settings);
    expect(await muteOf()).toEqual(expected);
    expect(await noted()).toHaveLength(expected[1] === null ? 0 : 1);
  });

  it('keeps an unlimited mute when no end exists to clear', async () => {
    await me.settings(id, { muted: true });
    await me.settings(id, { mute_until: null });
    expect(await muteOf()).toEqual([true, null]);
  });

  it.each([
    1,
    'tomorrow',
    '2026-02-30T00:00:00Z',
    '2026-01-31',
    '2026-01-31T08:00:00',
    '9999-12-31T23:59:59-01:00',
    {},
  ])('rejects the end %j', async (mute_until) => {
    const problem = typeof mute_until === 'string' ? '取值无效' : '必须是字符串';
    expect(errorOf(await me.trySettings(id, { mute_until }))).toEqual([422, `mute_until ${problem}`]);
  });

  it('returns 422 for an end that is not in the future, and keeps the former mute', async () => {
    await me.settings(id, { mute_until: AN_HOUR_LATER });
    for (const mute_until of ['2026-01-31T07:59:59.999Z', START])
      expect(errorOf(await me.trySettings(id, { mute_until }))).toEqual([422, 'mute_until 取值无效']);
    expect(await muteOf()).toEqual([true, AN_HOUR_LATER]);
  });

  it('ends with the membership', async () => {
    await peer.settings(id, { mute_until: AN_HOUR_LATER });
    await peer.leave(id);
    await me.add(id, peer.id);
    test.clock.set(AN_HOUR_LATER);
    const before = (await eventsOf(peer)).length;
    await endDue();
    expect(await eventsOf(peer)).toHaveLength(before);
  });
});
