import { jobsOf } from '../../src/common/jobs/periodic-job';
import { OfflineSweeper } from '../../src/device-groups/presence/offline-sweeper';
import { DevicePresenceJob } from '../../src/device-groups/presence/device-presence.job';
import { OnlineCountService } from '../../src/device-groups/presence/online-count.service';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { DeviceFixture } from '../support/device-fixture';
import { DomainEventReader } from '../support/domain-events';
import { eventually } from '../support/service-process';
import { createTerminal, sendHeartbeat, deviceOf, onlineCount, runPresenceJob } from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const DEVICES = '/api/admin/devices';

describe('Device presence', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  const readers: EventReader[] = [];
  beforeEach(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
    // After this run, devices without a heartbeat go offline.
    test.clock.advance(90);
    await runPresenceJob(test);
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await test?.close();
  });
  const passes = async (seconds: number): Promise<void> => {
    test.clock.advance(seconds);
    await runPresenceJob(test);
  };
  const isOnline = async (door: { id: number }): Promise<boolean> => (await deviceOf(fixture, door)).online;

  it('is online with the reported version after a heartbeat, and offline after ninety seconds', async () => {
    const door = await createTerminal(fixture);
    expect(await deviceOf(fixture, door)).toMatchObject({ online: false, last_seen_at: null, version: null });
    const response = await door.api.post('/api/devices/heartbeat', { version: '2.4.1', battery: 87 });
    expect([response.status, response.body]).toEqual([200, { code: 0, message: '操作成功', data: null }]);
    const seen = { last_seen_at: '2026-01-31T08:01:30.000Z', version: '2.4.1', battery: 87 };
    expect(await deviceOf(fixture, door)).toMatchObject({ online: true, ...seen });
    await passes(89);
    expect(await isOnline(door)).toBe(true);
    await passes(1);
    expect(await deviceOf(fixture, door)).toMatchObject({ online: false, ...seen });
    expect(await sendHeartbeat(door, { battery: 0 })).toBe(0);
    expect(await deviceOf(fixture, door)).toMatchObject({
      online: true,
      last_seen_at: '2026-01-31T08:03:00.000Z',
      version: '2.4.1',
      battery: 0,
    });
  });

  it('stays online while heartbeats arrive', async () => {
    const door = await createTerminal(fixture);
    const domainEvents = await DomainEventReader.open(test, ['device.online', 'device.offline']);
    for (let time = 0; time < 5; time += 1) {
      expect(await sendHeartbeat(door)).toBe(0);
      await passes(60);
    }
    expect(await isOnline(door)).toBe(true);
    await passes(30);
    expect(await domainEvents.typesOf(`device:${door.id}`)).toEqual(['device.online', 'device.offline']);
  });

  it('records one domain event when a device comes online and one when it goes offline, with its state', async () => {
    const domainEvents = await DomainEventReader.open(test, [
      'device.online',
      'device.offline',
      'device.updated',
    ]);
    const door = await createTerminal(fixture, 'Door', { serial_no: 'SN-9' });
    await Promise.all([
      sendHeartbeat(door, { version: '3.0' }),
      sendHeartbeat(door),
      sendHeartbeat(door, { battery: 7 }),
    ]);
    await passes(90);
    await passes(90);
    const recorded = await domainEvents.eventsOf(`device:${door.id}`);
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
    expect(recorded.map(({ type, payload }) => [type, payload])).toEqual([
      // The first of the three heartbeats is not determined.
      ['device.online', { device: expect.objectContaining({ ...device, online: true }) }],
      ['device.offline', { device: { ...device, online: false, version: '3.0', battery: 7 } }],
    ]);
  });

  it('filters the list and is counted, also after a deletion', async () => {
    const [a, b, c] = [
      await createTerminal(fixture, 'A'),
      await createTerminal(fixture, 'B'),
      await createTerminal(fixture, 'C'),
    ];
    const names = async (query: string): Promise<string[]> =>
      (await fixture.admin.get(`${DEVICES}${query}`)).body.data.items.map(
        ({ name }: { name: string }) => name,
      );
    for (const door of [a, b, c]) await sendHeartbeat(door);
    expect(await onlineCount(test)).toBe(3);
    await passes(60);
    await sendHeartbeat(a);
    await sendHeartbeat(c);
    await passes(30);
    expect(await names('?online=1')).toEqual(['A', 'C']);
    expect(await names('?online=0')).toEqual(['B']);
    expect(await names('?online=1&sort=-id')).toEqual(['C', 'A']);
    expect(await names('')).toEqual(['A', 'B', 'C']);
    expect((await fixture.admin.get(`${DEVICES}?online=2`)).body.message).toBe('online 取值无效');
    expect(await onlineCount(test)).toBe(2);
    await fixture.admin.delete(`${DEVICES}/${a.id}`);
    expect(await onlineCount(test)).toBe(1);
    await fixture.admin.delete(DEVICES, { device_ids: [b.id, c.id] });
    expect(await onlineCount(test)).toBe(0);
    expect((await test.api.get('/metrics')).text).toContain('callboard_devices_online 0');
  });

  it('is recounted by a repair, which reports the drift', async () => {
    const counts = test.app.get(OnlineCountService);
    await sendHeartbeat(await createTerminal(fixture));
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

  it('stays online while an event stream of its user is open', async () => {
    await test.app.listen(0, '127.0.0.1');
    const url = await test.app.getUrl();
    const door = await createTerminal(fixture);
    const domainEvents = await DomainEventReader.open(test, ['device.online', 'device.offline']);
    const reader = await EventReader.open(url, { userId: door.userId });
    readers.push(reader);
    await eventually(() => isOnline(door), Boolean);
    for (let time = 0; time < 4; time += 1) await passes(30);
    // Streams are recorded as heartbeats first, regardless of the time that has passed.
    await passes(300);
    expect(await deviceOf(fixture, door)).toMatchObject({
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
    expect(await domainEvents.typesOf(`device:${door.id}`)).toEqual(['device.online', 'device.offline']);
  });

  it('is refreshed by the stream every thirty seconds', async () => {
    await test.app.listen(0, '127.0.0.1');
    const door = await createTerminal(fixture);
    readers.push(await EventReader.open(await test.app.getUrl(), { userId: door.userId }));
    await eventually(() => isOnline(door), Boolean);
    await passes(29);
    expect((await deviceOf(fixture, door)).last_seen_at).toBe('2026-01-31T08:01:30.000Z');
    await passes(1);
    expect((await deviceOf(fixture, door)).last_seen_at).toBe('2026-01-31T08:02:00.000Z');
  });

  it('does not end within ninety seconds after a start of the service', async () => {
    const [stays, goes] = [await createTerminal(fixture), await createTerminal(fixture)];
    for (const door of [stays, goes]) await sendHeartbeat(door);
    for (const job of jobsOf(test.app.get(DevicePresenceJob))) await job.stop();
    test.clock.advance(3_600);
    const restarted = await createTestApp({ database: test.database, clock: test.clock });
    try {
      test.clock.advance(89);
      await runPresenceJob(restarted);
      expect([await isOnline(stays), await isOnline(goes)]).toEqual([true, true]);
      expect(await sendHeartbeat({ api: await restarted.api.as({ id: stays.userId }) })).toBe(0);
      test.clock.advance(1);
      await runPresenceJob(restarted);
      expect([await isOnline(stays), await isOnline(goes)]).toEqual([true, false]);
    } finally {
      await restarted.close();
    }
  });

  it('does not end while the database is unavailable', async () => {
    const door = await createTerminal(fixture);
    await sendHeartbeat(door);
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
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  afterAll(() => test?.close());

  it.each([
    [{ version: 'x'.repeat(51) }, 'version 长度不能超过 50 个字符'],
    [{ version: 5 }, 'version 必须是字符串'],
    [{ battery: 101 }, 'battery 不能大于 100'],
    [{ battery: -1 }, 'battery 不能小于 0'],
    [{ battery: 5.5 }, 'battery 必须是整数'],
  ])('returns 422 for %j, and leaves the device offline', async (body, message) => {
    const door = await createTerminal(fixture);
    const response = await door.api.post('/api/devices/heartbeat', body);
    expect(response.body).toEqual({ code: 422, message, data: null });
    expect((await deviceOf(fixture, door)).online).toBe(false);
  });

  it('returns 404 to users without a device', async () => {
    const [id = 0] = newUserIds(1);
    const userWithoutDevice = await testUser(test.api, { id });
    const response = await userWithoutDevice.post('/api/devices/heartbeat', { battery: 5 });
    expect([response.status, response.body]).toEqual([404, { code: 404, message: '设备不存在', data: null }]);
    expect((await test.api.post('/api/devices/heartbeat')).status).toBe(401);
    expect(await sendHeartbeat({ api: fixture.admin })).toBe(404);
  });
});
