import { AbandonedConversationsService } from '../../src/messaging/services/abandoned-conversations.service';
import { createCall, newUserIds } from '../support/calls';
import { ChatUser } from '../support/messaging';
import { PresenceFixture } from '../support/presence-fixture';
import {
  askStatistics,
  countCalls,
  overview,
  advanceMinute,
  repairStatistics,
  reportStreams,
  writeActivity,
} from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

const NOTHING = { calls: 0, answered: 0, messages: 0, active_users: 0, new_users: 0 };

describe('The statistics overview', () => {
  let test: TestApp;
  const people = new PresenceFixture();
  // A day in Shanghai is 16:00 to 16:00 in UTC; the clock begins at 08:00.
  beforeEach(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    people.close();
    await test?.close();
  });

  it('contains only the requesting user at first', async () => {
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

  it('contains current activity and totals', async () => {
    const admin = await test.api.as({ id: 1, role: 'admin' });
    for (const name of ['A', 'B']) await admin.post('/api/admin/devices', { name });
    await admin.post('/api/admin/device-groups', { name: 'G' });
    await createCall(test.api, 'ringing');
    await createCall(test.api, 'accepted');
    const ongoing = await createCall(test.api, 'ongoing');
    await createCall(test.api, 'ended');
    await people.connect(test, ongoing.callerId);
    await people.connect(test, ongoing.callerId);
    const left = await people.connect(test, ongoing.calleeId);
    await reportStreams(test);
    const { now, totals } = await overview(test);
    expect(now).toEqual({
      calls_ringing: 1,
      calls_ongoing: 2,
      streams: 3,
      users_online: 2,
      devices_online: 0,
    });
    expect(totals).toMatchObject({ devices: 2, groups: 1 });
    await people.disconnect(test, left);
    await people.advance(12, test);
    await reportStreams(test);
    expect((await overview(test)).now).toMatchObject({ streams: 2, users_online: 1 });
  });

  it('has no online count when presence is off', async () => {
    const quiet = await createTestApp({ env: { PRESENCE: 'off' } });
    expect((await overview(quiet)).now.users_online).toBeNull();
    await quiet.close();
  });

  it('counts messages of users a minute after they were sent, by day', async () => {
    const [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    const chat = await ann.openSingle(ben.id);
    test.clock.set('2026-01-31T15:59:59.999Z');
    for (const text of ['1', '2', '3']) await ann.send(chat, text);
    // The call adds a notice without a sender to the chat.
    await (await test.api.as({ id: ann.id })).post('/api/calls', { callee_id: ben.id, media_type: 'audio' });
    test.clock.set('2026-01-31T16:00:00.000Z');
    const last = await ben.send(chat, '4');
    await ben.api.post(`/api/messages/${last.id}/recall`);
    await advanceMinute(test);
    const { today, days } = await overview(test);
    expect([days.at(-2), today]).toMatchObject([
      { day: '2026-01-31', messages: 3 },
      { day: '2026-02-01', messages: 1 },
    ]);
    await advanceMinute(test);
    expect((await overview(test)).today.messages).toBe(1);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('keeps messages of groups without members, counted before or not', async () => {
    const [ann] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const group = await ann.createGroup();
    for (const text of ['1', '2']) await ann.send(group, text);
    await advanceMinute(test);
    await ann.send(group, '3');
    await ann.api.delete(`/api/messages/conversations/${group}/members/${ann.id}`);
    await test.app.get(AbandonedConversationsService).trim();
    expect(await test.query('SELECT id FROM message_ids')).toEqual([]);
    await advanceMinute(test);
    expect((await overview(test)).today.messages).toBe(3);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('counts users by the day of creation, and in total', async () => {
    await test.api.as({ id: 1 }).then((api) => api.get('/api/auth/me'));
    test.clock.set('2026-01-31T16:00:00.000Z');
    const admin = await test.api.as({ id: 2, role: 'admin' });
    await admin.post('/api/admin/users', { account: 'carol', name: 'Carol', password: 'correct-horse' });
    await advanceMinute(test);
    const { totals, today, days } = await overview(test);
    // The requesting administrator was created less than a minute ago.
    expect([totals.users, days.at(-2).new_users, today.new_users]).toEqual([3, 1, 2]);
    await advanceMinute(test);
    expect((await overview(test)).totals.users).toBe(4);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('counts an active user once per day, for requests, rejected requests and streams', async () => {
    const [ann = 0, ben = 0, cat = 0] = newUserIds(3);
    const [first, second] = [await test.api.as({ id: ann }), await test.api.as({ id: ben })];
    for (let time = 0; time < 3; time += 1) await first.get('/api/auth/me');
    await second.get('/api/admin/users');
    await people.connect(test, cat);
    await test.api.get('/api/auth/me');
    await writeActivity(test);
    for (let time = 0; time < 3; time += 1) await first.get('/api/auth/me');
    await writeActivity(test);
    expect((await overview(test)).today.active_users).toBe(3);
    // After midnight one user only has an open stream, one sends a request, and one does nothing.
    test.clock.set('2026-01-31T16:00:05.000Z');
    await first.get('/api/auth/me');
    test.clock.set('2026-01-31T16:01:05.000Z');
    await writeActivity(test);
    const { today, days } = await overview(test);
    // The administrator who requested the overview before midnight is counted as well.
    expect([days.at(-2), today]).toMatchObject([{ active_users: 4 }, { active_users: 2 }]);
    expect(await repairStatistics(test)).toEqual([]);
  });

  it('counts a user whose stream ends soon after midnight for the new day too', async () => {
    const [ann = 0] = newUserIds(1);
    const reader = await people.connect(test, ann);
    await writeActivity(test);
    test.clock.set('2026-01-31T16:00:01.000Z');
    await people.disconnect(test, reader);
    test.clock.set('2026-01-31T16:01:05.000Z');
    await writeActivity(test);
    expect((await overview(test)).days.slice(-2)).toMatchObject([{ active_users: 1 }, { active_users: 1 }]);
  });

  it('writes a new day only when every instance has written the old one', async () => {
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

  it('contains the calls of each day', async () => {
    await createCall(test.api, 'ended');
    await createCall(test.api, 'rejected');
    test.clock.set('2026-02-01T16:00:00.000Z');
    await createCall(test.api, 'cancelled');
    await countCalls(test);
    const { days, today } = await overview(test);
    expect(days.slice(-3)).toMatchObject([
      { day: '2026-01-31', calls: 2, answered: 1 },
      { day: '2026-02-01', calls: 0, answered: 0 },
      { day: '2026-02-02', calls: 1, answered: 0 },
    ]);
    expect(today.day).toBe('2026-02-02');
  });

  it('rejects filters', async () => {
    const { status, body } = await askStatistics(test, 'overview?from=nonsense');
    expect([status, body.code]).toEqual([200, 0]);
  });
});
