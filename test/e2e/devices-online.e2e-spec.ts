import { jobsOf } from '../../src/common/jobs/periodic-job';
import { OfflineSweeper } from '../../src/device-groups/presence/offline-sweeper';
import { DevicePresenceJob } from '../../src/device-groups/presence/device-presence.job';
import { OnlineCountService } from '../../src/device-groups/presence/online-count.service';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { Estate } from '../support/estate';
import { ActReader } from '../support/acts';
import { eventually } from '../support/service-process';
import { aTerminal, beat, deviceOf, onlineCount, tick } from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const DEVICES = '/api/admin/devices';

describe('A device that is there', () => {
  let test: TestApp;
  let estate: Estate;
  const readers: EventReader[] = [];
  beforeEach(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
    // From now on who is not heard of is gone.
    test.clock.advance(90);
    await tick(test);
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await test?.close();
  });
  const passes = async (seconds: number): Promise<void> => {
    test.clock.advance(seconds);
    await tick(test);
  };
  const isOnline = async (door: { id: number }): Promise<boolean> => (await deviceOf(estate, door)).online;

  it('says so, with what it tells of itself, and is gone when it is not heard of for ninety seconds', async () => {
    const door = await aTerminal(estate);
    expect(await deviceOf(estate, door)).toMatchObject({ online: false, last_seen_at: null, version: null });
    const answer = await door.api.post('/api/devices/heartbeat', { version: '2.4.1', battery: 87 });
    expect([answer.status, answer.body]).toEqual([200, { code: 0, message: '操作成功', data: null }]);
    const seen = { last_seen_at: '2026-01-31T08:01:30.000Z', version: '2.4.1', battery: 87 };
    expect(await deviceOf(estate, door)).toMatchObject({ online: true, ...seen });
    await passes(89);
    expect(await isOnline(door)).toBe(true);
    await passes(1);
    expect(await deviceOf(estate, door)).toMatchObject({ online: false, ...seen });
    expect(await beat(door, { battery: 0 })).toBe(0);
    expect(await deviceOf(estate, door)).toMatchObject({
      online: true,
      last_seen_at: '2026-01-31T08:03:00.000Z',
      version: '2.4.1',
      battery: 0,
    });
  });

  it('stays as long as it goes on beating', async () => {
    const door = await aTerminal(estate);
    const acts = await ActReader.open(test, ['device.online', 'device.offline']);
    for (let time = 0; time < 5; time += 1) {
      expect(await beat(door)).toBe(0);
      await passes(60);
    }
    expect(await isOnline(door)).toBe(true);
    await passes(30);
    expect(await acts.typesAbout(`device:${door.id}`)).toEqual(['device.online', 'device.offline']);
  });

  it('is told to back ends once when it comes and once when it goes, as it then is', async () => {
    const acts = await ActReader.open(test, ['device.online', 'device.offline', 'device.updated']);
    const door = await aTerminal(estate, 'Door', { serial_no: 'SN-9' });
    await Promise.all([beat(door, { version: '3.0' }), beat(door), beat(door, { battery: 7 })]);
    await passes(90);
    await passes(90);
    const told = await acts.about(`device:${door.id}`);
    const device = {
      id: door.id,
      name: 'Door',
      serial_no: 'SN-9',
      status: 1,
      created_at: '2026-01-31T08:01:30.000Z',
      user_id: door.userId,
      last_seen_at: '2026-01-31T08:01:30.000Z',
      groups: [],
    };
    expect(told.map(({ type, payload }) => [type, payload])).toEqual([
      // Which of the three came first is not said.
      ['device.online', { device: expect.objectContaining({ ...device, online: true }) }],
      ['device.offline', { device: { ...device, online: false, version: '3.0', battery: 7 } }],
    ]);
  });

  it('is found by that, and counted, also when it is deleted', async () => {
    const [a, b, c] = [
      await aTerminal(estate, 'A'),
      await aTerminal(estate, 'B'),
      await aTerminal(estate, 'C'),
    ];
    const names = async (query: string): Promise<string[]> =>
      (await estate.admin.get(`${DEVICES}${query}`)).body.data.items.map(
        ({ name }: { name: string }) => name,
      );
    for (const door of [a, b, c]) await beat(door);
    expect(await onlineCount(test)).toBe(3);
    await passes(60);
    await beat(a);
    await beat(c);
    await passes(30);
    expect(await names('?online=1')).toEqual(['A', 'C']);
    expect(await names('?online=0')).toEqual(['B']);
    expect(await names('?online=1&sort=-id')).toEqual(['C', 'A']);
    expect(await names('')).toEqual(['A', 'B', 'C']);
    expect((await estate.admin.get(`${DEVICES}?online=2`)).body.message).toBe('online 取值无效');
    expect(await onlineCount(test)).toBe(2);
    await estate.admin.delete(`${DEVICES}/${a.id}`);
    expect(await onlineCount(test)).toBe(1);
    await estate.admin.delete(DEVICES, { device_ids: [b.id, c.id] });
    expect(await onlineCount(test)).toBe(0);
    expect((await test.api.get('/metrics')).text).toContain('callboard_devices_online 0');
  });

  it('is counted again by a repair, which tells what had drifted', async () => {
    const counts = test.app.get(OnlineCountService);
    await beat(await aTerminal(estate));
    const mended = async (): Promise<object[]> => {
      const drift: object[] = [];
      for await (const one of counts.repair()) drift.push(one);
      return drift;
    };
    expect(await mended()).toEqual([]);
    await test.query('UPDATE device_totals SET online = 7');
    expect(await mended()).toEqual([{ counter: 'devices online', stored: 7, actual: 1 }]);
    expect(await counts.current()).toBe(1);
  });

  it('is there as long as an event stream of its user is open', async () => {
    await test.app.listen(0, '127.0.0.1');
    const url = await test.app.getUrl();
    const door = await aTerminal(estate);
    const acts = await ActReader.open(test, ['device.online', 'device.offline']);
    const reader = await EventReader.open(url, { userId: door.userId });
    readers.push(reader);
    await eventually(() => isOnline(door), Boolean);
    for (let time = 0; time < 4; time += 1) await passes(30);
    // However much time has passed: who listens is heard of first.
    await passes(300);
    expect(await deviceOf(estate, door)).toMatchObject({
      online: true,
      last_seen_at: '2026-01-31T08:08:30.000Z',
    });
    reader.close();
    await reader.ended;
    await eventually(
      async () => (await test.api.get('/metrics')).text,
      (text) => text.includes('callboard_event_streams 0'),
    );
    await passes(90);
    expect(await isOnline(door)).toBe(false);
    expect(await acts.typesAbout(`device:${door.id}`)).toEqual(['device.online', 'device.offline']);
  });

  it('beats by its stream every thirty seconds, and not before', async () => {
    await test.app.listen(0, '127.0.0.1');
    const door = await aTerminal(estate);
    readers.push(await EventReader.open(await test.app.getUrl(), { userId: door.userId }));
    await eventually(() => isOnline(door), Boolean);
    await passes(29);
    expect((await deviceOf(estate, door)).last_seen_at).toBe('2026-01-31T08:01:30.000Z');
    await passes(1);
    expect((await deviceOf(estate, door)).last_seen_at).toBe('2026-01-31T08:02:00.000Z');
  });

  it('does not go because the service was away: for ninety seconds after a start nobody does', async () => {
    const [stays, goes] = [await aTerminal(estate), await aTerminal(estate)];
    for (const door of [stays, goes]) await beat(door);
    for (const job of jobsOf(test.app.get(DevicePresenceJob))) await job.stop();
    test.clock.advance(3_600);
    const restarted = await createTestApp({ database: test.database, clock: test.clock });
    try {
      test.clock.advance(89);
      await tick(restarted);
      expect([await isOnline(stays), await isOnline(goes)]).toEqual([true, true]);
      expect(await beat({ api: await restarted.api.as({ id: stays.userId }) })).toBe(0);
      test.clock.advance(1);
      await tick(restarted);
      expect([await isOnline(stays), await isOnline(goes)]).toEqual([true, false]);
    } finally {
      await restarted.close();
    }
  });

  it('does not go because the database was away, which heard nobody', async () => {
    const door = await aTerminal(estate);
    await beat(door);
    const sweep = test.app.get(OfflineSweeper);
    const away = jest.spyOn(sweep, 'run').mockRejectedValue(new Error('away'));
    await expect(passes(80)).rejects.toThrow('away');
    away.mockRestore();
    await passes(89);
    expect(await isOnline(door)).toBe(true);
    await passes(1);
    expect(await isOnline(door)).toBe(false);
  });
});

describe('POST /api/devices/heartbeat', () => {
  let test: TestApp;
  let estate: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
  });
  afterAll(() => test?.close());

  it.each([
    [{ version: 'x'.repeat(51) }, 'version 长度不能超过 50 个字符'],
    [{ version: 5 }, 'version 必须是字符串'],
    [{ battery: 101 }, 'battery 不能大于 100'],
    [{ battery: -1 }, 'battery 不能小于 0'],
    [{ battery: 5.5 }, 'battery 必须是整数'],
  ])('returns 422 for %j, and leaves the device offline', async (body, message) => {
    const door = await aTerminal(estate);
    const answer = await door.api.post('/api/devices/heartbeat', body);
    expect(answer.body).toEqual({ code: 422, message, data: null });
    expect((await deviceOf(estate, door)).online).toBe(false);
  });

  it('returns 404 to users without a device', async () => {
    const [id = 0] = newUserIds(1);
    const nobody = await testUser(test.api, { id });
    const answer = await nobody.post('/api/devices/heartbeat', { battery: 5 });
    expect([answer.status, answer.body]).toEqual([404, { code: 404, message: '设备不存在', data: null }]);
    expect((await test.api.post('/api/devices/heartbeat')).status).toBe(401);
    expect(await beat({ api: estate.admin })).toBe(404);
  });
});
