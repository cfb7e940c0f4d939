import { AbandonedConversationsService } from '../../src/messaging/services/abandoned-conversations.service';
import { aCall, newUserIds } from '../support/calls';
import { Chatter } from '../support/messaging';
import { Watching } from '../support/presence';
import {
  askStatistics,
  countCalls,
  overview,
  passMinute,
  repairStatistics,
  tellStreams,
  writeActivity,
} from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

const NOTHING = { calls: 0, answered: 0, messages: 0, active_users: 0, new_users: 0 };

describe('The overview', () => {
  let test: TestApp;
  const people = new Watching();
  // A day in Shanghai is 16:00 to 16:00 in UTC; the clock begins at 08:00.
  beforeEach(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    people.close();
    await test?.close();
  });

  it('begins with nothing but the one who asks', async () => {
    const { now, totals, today, days } = await overview(test);
    expect(now).toEqual({
      calls_ringing: 0,
      calls_ongoing: 0,
      streams: 0,
      users_online: 0,
      devices_online: 0,
    });
    expect(totals).toEqual({ users: 0, devices: 0, groups: 0 });
    expect(today).toEqual({ day: '2026-01-31', ...NOTHING });
    expect([days.length, days[0], days.at(-1)]).toEqual([30, { day: '2026-01-02', ...NOTHING }, today]);
  });

  it('has what is going on, and how much there is', async () => {
    const admin = await test.api.as({ id: 1, role: 'admin' });
    for (const name of ['A', 'B']) await admin.post('/api/admin/devices', { name });
    await admin.post('/api/admin/device-groups', { name: 'G' });
    await aCall(test.api, 'ringing');
    await aCall(test.api, 'accepted');
    const ongoing = await aCall(test.api, 'ongoing');
    await aCall(test.api, 'ended');
    await people.come(test, ongoing.callerId);
    await people.come(test, ongoing.callerId);
    const left = await people.come(test, ongoing.calleeId);
    await tellStreams(test);
    const { now, totals } = await overview(test);
    expect(now).toEqual({
      calls_ringing: 1,
      calls_ongoing: 2,
      streams: 3,
      users_online: 2,
      devices_online: 0,
    });
    expect(totals).toMatchObject({ devices: 2, groups: 1 });
    await people.leave(test, left);
    await people.wait(12, test);
    await tellStreams(test);
    expect((await overview(test)).now).toMatchObject({ streams: 2, users_online: 1 });
  });

  it('does not know who is there where nobody is told', async () => {
    const quiet = await createTestApp({ env: { PRESENCE: 'off' } });
    expect((await overview(quiet)).now.users_online).toBeNull();
    await quiet.close();
  });

  it('counts messages of people a minute after they were sent, by their days', async () => {
    const [ann, ben] = (await Chatter.meetAll(test.api, newUserIds(2))) as [Chatter, Chatter];
    const chat = await ann.openSingle(ben.id);
    test.clock.set('2026-01-31T15:59:59.999Z');
    for (const text of ['1', '2', '3']) await ann.send(chat, text);
    // It leaves a notice in the chat, which nobody has sent.
    await (await test.api.as({ id: ann.id })).post('/api/calls', { callee_id: ben.id, media_type: 'audio' });
    test.clock.set('2026-01-31T16:00:00.000Z');
    const last = await ben.send(chat, '4');
    await ben.api.post(`/api/messages/${last.id}/recall`);
    await passMinute(test);
    const { today, days } = await overview(test);
    expect([days.at(-2), today]).toMatchObject([
      { day: '2026-01-31', messages: 3 },
      { day: '2026-02-01', messages: 1 },
    ]);
    await passMinute(test);
    expect((await overview(test)).today.messages).toBe(1);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('keeps the messages of groups that everybody has left, counted before or not', async () => {
    const [ann] = (await Chatter.meetAll(test.api, newUserIds(1))) as [Chatter];
    const group = await ann.createGroup();
    for (const text of ['1', '2']) await ann.send(group, text);
    await passMinute(test);
    await ann.send(group, '3');
    await ann.api.delete(`/api/messages/conversations/${group}/members/${ann.id}`);
    await test.app.get(AbandonedConversationsService).trim();
    expect(await test.query('SELECT id FROM message_ids')).toEqual([]);
    await passMinute(test);
    expect((await overview(test)).today.messages).toBe(3);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('counts users by the day on which they were made, and all of them', async () => {
    await test.api.as({ id: 1 }).then((api) => api.get('/api/auth/me'));
    test.clock.set('2026-01-31T16:00:00.000Z');
    const admin = await test.api.as({ id: 2, role: 'admin' });
    await admin.post('/api/admin/users', { account: 'carol', name: 'Carol', password: 'correct-horse' });
    await passMinute(test);
    const { totals, today, days } = await overview(test);
    // The one who asks has not been there for a minute.
    expect([totals.users, days.at(-2).new_users, today.new_users]).toEqual([3, 1, 2]);
    await passMinute(test);
    expect((await overview(test)).totals.users).toBe(4);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('counts an active user once a day, who sends requests, is refused, or listens', async () => {
    const [ann = 0, ben = 0, cat = 0] = newUserIds(3);
    const [first, second] = [await test.api.as({ id: ann }), await test.api.as({ id: ben })];
    for (let time = 0; time < 3; time += 1) await first.get('/api/auth/me');
    await second.get('/api/admin/users');
    await people.come(test, cat);
    await test.api.get('/api/auth/me');
    await writeActivity(test);
    for (let time = 0; time < 3; time += 1) await first.get('/api/auth/me');
    await writeActivity(test);
    expect((await overview(test)).today.active_users).toBe(3);
    // Over midnight: one does nothing but listen, one comes again, one does not.
    test.clock.set('2026-01-31T16:00:05.000Z');
    await first.get('/api/auth/me');
    test.clock.set('2026-01-31T16:01:05.000Z');
    await writeActivity(test);
    const { today, days } = await overview(test);
    // Who asked for the overview before midnight is one more.
    expect([days.at(-2), today]).toMatchObject([{ active_users: 4 }, { active_users: 2 }]);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('counts who stops listening soon after midnight for the new day, too', async () => {
    const [ann = 0] = newUserIds(1);
    const reader = await people.come(test, ann);
    await writeActivity(test);
    test.clock.set('2026-01-31T16:00:01.000Z');
    await people.leave(test, reader);
    test.clock.set('2026-01-31T16:01:05.000Z');
    await writeActivity(test);
    expect((await overview(test)).days.slice(-2)).toMatchObject([{ active_users: 1 }, { active_users: 1 }]);
  });

  it('writes a new day only when the old one is written everywhere', async () => {
    const other = await createTestApp({ database: test.database, clock: test.clock });
    const [ann = 0] = newUserIds(1);
    test.clock.set('2026-01-31T15:59:59.000Z');
    await (await other.api.as({ id: ann })).get('/api/auth/me');
    test.clock.set('2026-01-31T16:00:20.000Z');
    await (await test.api.as({ id: ann })).get('/api/auth/me');
    await writeActivity(test, other);
    test.clock.set('2026-01-31T16:01:00.000Z');
    await writeActivity(test, other);
    expect((await overview(test)).days.slice(-2)).toMatchObject([{ active_users: 1 }, { active_users: 1 }]);
    await other.close();
  });

  it('has the calls of each day', async () => {
    await aCall(test.api, 'ended');
    await aCall(test.api, 'rejected');
    test.clock.set('2026-02-01T16:00:00.000Z');
    await aCall(test.api, 'cancelled');
    await countCalls(test);
    const { days, today } = await overview(test);
    expect(days.slice(-3)).toMatchObject([
      { day: '2026-01-31', calls: 2, answered: 1 },
      { day: '2026-02-01', calls: 0, answered: 0 },
      { day: '2026-02-02', calls: 1, answered: 0 },
    ]);
    expect(today.day).toBe('2026-02-02');
  });

  it('takes no filters', async () => {
    const { status, body } = await askStatistics(test, 'overview?from=nonsense');
    expect([status, body.code]).toEqual([200, 0]);
  });
});
