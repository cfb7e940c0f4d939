import { DomainEventReader } from '../support/domain-events';
import { DeviceFixture } from '../support/device-fixture';
import { raceRounds } from '../support/property-runs';
import {
  createTerminal,
  sendHeartbeat,
  deviceOf,
  onlineCount,
  type Terminal,
  runPresenceJob,
} from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';

/** So many that a sweep comes before a heartbeat in one of them. */
const ROUNDS = raceRounds(50);

/** Two instances that receive heartbeats and sweep. */
describe('Concurrent device presence changes', () => {
  let test: TestApp;
  let other: TestApp;
  let fixture: DeviceFixture;
  let readers: DomainEventReader[];
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    fixture = await DeviceFixture.create(test);
    const wanted = ['device.online', 'device.offline'] as const;
    readers = [await DomainEventReader.open(test, wanted), await DomainEventReader.open(other, wanted)];
    test.clock.advance(90);
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const there = async ({ userId }: Terminal) => ({ api: await other.api.as({ id: userId }) });
  /** Each instance writes and dispatches domain events of its own. */
  const actsSoFar = async () => (await Promise.all(readers.map((reader) => reader.all()))).flat();
  const rowsOnline = async (): Promise<number> => {
    const [row] = (await test.query('SELECT COUNT(*) AS n FROM devices WHERE online = 1')) as {
      n: unknown;
    }[];
    return Number(row?.n);
  };

  it('publish one event for each change, during heartbeats and sweeps', async () => {
    const doors: Terminal[] = [];
    for (let index = 0; index < 5; index += 1) doors.push(await createTerminal(fixture, `D${index}`));
    for (let round = 0; round < ROUNDS; round += 1) {
      test.clock.advance(90);
      const codes = await Promise.all([
        ...doors.flatMap((door) => [sendHeartbeat(door), there(door).then((same) => sendHeartbeat(same))]),
        runPresenceJob(test),
        runPresenceJob(other),
      ]);
      expect(codes.slice(0, -2)).toEqual(Array(10).fill(0));
      expect(await onlineCount(test)).toBe(5);
      expect(await rowsOnline()).toBe(5);
    }
    const recorded = await actsSoFar();
    for (const door of doors) {
      const own = recorded.filter(({ subject }) => subject === `device:${door.id}`);
      const isOnline = own.map(({ payload }) => (payload.device as { online: boolean }).online);
      expect(own.map(({ type }) => type === 'device.online')).toEqual(isOnline);
      // Every change is published with the change that reverted it, and the last change is not reverted.
      const [came, went] = [isOnline.filter(Boolean), isOnline.filter((is) => !is)];
      expect(came.length - went.length).toBe(1);
      expect((await deviceOf(fixture, door)).online).toBe(true);
    }
    expect(recorded.length).toBeGreaterThan(doors.length);
  });

  it('mark a device offline once when both instances sweep, and miss none of many', async () => {
    await fixture.clear();
    const doors = await Promise.all(
      Array.from({ length: 30 }, (_, index) => createTerminal(fixture, `E${index}`)),
    );
    await Promise.all(doors.map((door) => sendHeartbeat(door)));
    expect(await onlineCount(test)).toBe(30);
    test.clock.advance(90);
    await Promise.all([
      runPresenceJob(test),
      runPresenceJob(other),
      runPresenceJob(test),
      runPresenceJob(other),
    ]);
    expect([await onlineCount(test), await rowsOnline()]).toEqual([0, 0]);
    const names = new Set(doors.map(({ id }) => `device:${id}`));
    const gone = (await actsSoFar()).filter(
      ({ type, subject }) => type === 'device.offline' && names.has(subject),
    );
    expect(gone.map(({ subject }) => subject).toSorted()).toEqual([...names].toSorted());
  });

  it('keep the online count correct during deletions and changes of users', async () => {
    await fixture.clear();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, two] = [await createTerminal(fixture), await createTerminal(fixture)];
      const path = '/api/admin/devices';
      await Promise.all([
        sendHeartbeat(one),
        sendHeartbeat(two),
        there(one).then((same) => sendHeartbeat(same)),
        fixture.admin.delete(`${path}/${one.id}`),
        fixture.admin.put(`${path}/${two.id}`, { user_id: null }),
        runPresenceJob(other),
      ]);
      expect(await onlineCount(test)).toBe(await rowsOnline());
    }
  });
});
