import { ActReader } from '../support/acts';
import { Estate } from '../support/estate';
import { raceRounds } from '../support/property-runs';
import { aTerminal, beat, deviceOf, onlineCount, type Terminal, tick } from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(20);

/** Two instances, each of which hears of devices and sweeps. */
describe('Devices that come and go at the same moment', () => {
  let test: TestApp;
  let other: TestApp;
  let estate: Estate;
  let readers: ActReader[];
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    estate = await Estate.of(test);
    const wanted = ['device.online', 'device.offline'] as const;
    readers = [await ActReader.open(test, wanted), await ActReader.open(other, wanted)];
    test.clock.advance(90);
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const there = async ({ userId }: Terminal) => ({ api: await other.api.as({ id: userId }) });
  /** Each instance writes and routes acts of its own. */
  const actsSoFar = async () => (await Promise.all(readers.map((reader) => reader.all()))).flat();
  const rowsOnline = async (): Promise<number> => {
    const [row] = (await test.query('SELECT COUNT(*) AS n FROM devices WHERE online = 1')) as {
      n: unknown;
    }[];
    return Number(row?.n);
  };

  it('are told of once for each change, whoever makes it: heard of as they are swept', async () => {
    const doors: Terminal[] = [];
    for (let index = 0; index < 5; index += 1) doors.push(await aTerminal(estate, `D${index}`));
    for (let round = 0; round < ROUNDS; round += 1) {
      test.clock.advance(90);
      const codes = await Promise.all([
        ...doors.flatMap((door) => [beat(door), there(door).then((same) => beat(same))]),
        tick(test),
        tick(other),
      ]);
      expect(codes.slice(0, -2)).toEqual(Array(10).fill(0));
      expect(await onlineCount(test)).toBe(5);
      expect(await rowsOnline()).toBe(5);
    }
    const told = await actsSoFar();
    for (const door of doors) {
      const own = told.filter(({ subject }) => subject === `device:${door.id}`);
      const isOnline = own.map(({ payload }) => (payload.device as { online: boolean }).online);
      expect(own.map(({ type }) => type === 'device.online')).toEqual(isOnline);
      // Each change that another one took back is there with it, and the last one is to stay.
      const [came, went] = [isOnline.filter(Boolean), isOnline.filter((is) => !is)];
      expect(came.length - went.length).toBe(1);
      expect((await deviceOf(estate, door)).online).toBe(true);
    }
    expect(told.length).toBeGreaterThan(doors.length);
  });

  it('go once, though both instances sweep, and none is forgotten among many', async () => {
    await estate.clear();
    const doors = await Promise.all(Array.from({ length: 30 }, (_, index) => aTerminal(estate, `E${index}`)));
    await Promise.all(doors.map((door) => beat(door)));
    expect(await onlineCount(test)).toBe(30);
    test.clock.advance(90);
    await Promise.all([tick(test), tick(other), tick(test), tick(other)]);
    expect([await onlineCount(test), await rowsOnline()]).toEqual([0, 0]);
    const names = new Set(doors.map(({ id }) => `device:${id}`));
    const gone = (await actsSoFar()).filter(
      ({ type, subject }) => type === 'device.offline' && names.has(subject),
    );
    expect(gone.map(({ subject }) => subject).toSorted()).toEqual([...names].toSorted());
  });

  it('are counted as they are when they are deleted and given away meanwhile', async () => {
    await estate.clear();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, two] = [await aTerminal(estate), await aTerminal(estate)];
      const path = '/api/admin/devices';
      await Promise.all([
        beat(one),
        beat(two),
        there(one).then((same) => beat(same)),
        estate.admin.delete(`${path}/${one.id}`),
        estate.admin.put(`${path}/${two.id}`, { user_id: null }),
        tick(other),
      ]);
      expect(await onlineCount(test)).toBe(await rowsOnline());
    }
  });
});
