import type { ApiResponse } from '../support/api-client';
import { DeviceFixture } from '../support/device-fixture';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const DEVICES = '/api/admin/devices';
const ROUNDS = raceRounds(50);

const move = (fixture: DeviceFixture, id: number | undefined, parent_id: number | null | undefined) =>
  fixture.admin.put(`${GROUPS}/${id}`, { parent_id });
const messages = (responses: ApiResponse[]): string[] =>
  responses.map(({ body }) => body.message).toSorted((one, other) => (one < other ? -1 : 1));

/** Runs a race repeatedly and returns the number of occurrences of each pair of responses. */
const repeat = async (round: (index: number) => Promise<string[]>): Promise<Set<string>> => {
  const outcomes = new Set<string>();
  for (let index = 0; index < ROUNDS; index += 1) outcomes.add((await round(index)).join(' / '));
  return outcomes;
};

const countOf = (nodes: unknown[]): number =>
  nodes.reduce<number>((sum, node) => sum + 1 + countOf((node as [string, unknown[]])[1]), 0);

/** Two instances of the service on one database, so that only the database can decide a race. */
describe('Concurrent changes of device groups', () => {
  let test: TestApp;
  let other: TestApp;
  let here: DeviceFixture;
  let there: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
    here = await DeviceFixture.create(test);
    there = await DeviceFixture.create(other);
  });
  beforeEach(() => here.clear());
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  it('never create a cycle: one of two opposite moves wins, and the other is rejected', async () => {
    const outcomes = await repeat(async (index) => {
      const [a, b] = [await here.group(`A${index}`), await here.group(`B${index}`)];
      return messages(await Promise.all([move(here, a, b), move(there, b, a)]));
    });
    expect(outcomes).toEqual(new Set(['不能移动到自身或下级分组 / 操作成功']));
    const shape = await here.treeShape();
    expect(shape).toHaveLength(ROUNDS);
    expect(shape.every((root) => (root as [string, unknown[]])[1].length === 1)).toBe(true);
  });

  it('never create a cycle of three groups', async () => {
    const outcomes = await repeat(async () => {
      const [a, b, c] = [await here.group('A'), await here.group('B'), await here.group('C')];
      return messages(await Promise.all([move(here, a, b), move(there, b, c), move(here, c, a)]));
    });
    expect(outcomes).toEqual(new Set(['不能移动到自身或下级分组 / 操作成功 / 操作成功']));
    expect(await here.treeShape()).toHaveLength(ROUNDS);
  });

  it('never bring a growing subtree below the tenth level', async () => {
    const deep = await here.nestedGroups(['1', '2', '3', '4', '5', '6', '7', '8']);
    const outcomes = await repeat(async (index) => {
      const [x, y] = await here.nestedGroups([`X${index}`, `Y${index}`]);
      const responses = await Promise.all([
        move(here, x, deep[7]),
        there.admin.post(GROUPS, { name: 'Z', parent_id: y }),
      ]);
      return messages(responses);
    });
    expect(outcomes).toEqual(new Set(['分组层级不能超过 10 级 / 操作成功']));
  });

  it('keep every path correct during a move and a change of its ancestor', async () => {
    const [p, q] = [await here.group('P'), await here.group('Q')];
    const [a, b, c] = await here.nestedGroups(['A', 'B', 'C']);
    for (let index = 0; index < ROUNDS; index += 1) {
      const isOdd = index % 2 === 1;
      const responses = await Promise.all([
        move(here, a, isOdd ? p : q),
        move(there, b, isOdd ? null : p),
        here.admin.put(`${GROUPS}/${c}`, { parent_id: isOdd ? a : b, name: `C${index}` }),
      ]);
      expect(messages(responses)).toEqual(['操作成功', '操作成功', '操作成功']);
      const { path } = (await there.admin.get(`${GROUPS}/${c}`)).body.data;
      const ids = path.map(({ id }: { id: number }) => id);
      expect(ids).toEqual(isOdd ? [p, a] : [p, b]);
    }
  });

  it('leave no orphan when a group is deleted during a creation or move into it', async () => {
    const outcomes = await repeat(async (index) => {
      const [doomed, stray] = [await here.group(`A${index}`), await here.group(`S${index}`)];
      const responses = await Promise.all([
        here.admin.delete(`${GROUPS}/${doomed}`),
        index % 2 === 0
          ? there.admin.post(GROUPS, { name: 'B', parent_id: doomed })
          : move(there, stray, doomed),
      ]);
      return messages(responses);
    });
    for (const outcome of outcomes) {
      expect(['分组下存在子分组 / 操作成功', '上级分组不存在 / 操作成功']).toContain(outcome);
    }
    const all = (await here.admin.get(`${GROUPS}?per_page=1`)).body.data.pagination.total;
    expect(countOf(await there.treeShape())).toBe(all);
  });

  it('reject either the deletion of a group or the addition of a device', async () => {
    const [device] = await here.devices(1);
    const outcomes = await repeat(async (index) => {
      const group = await here.group(`A${index}`);
      const responses = await Promise.all([
        here.admin.delete(`${GROUPS}/${group}`),
        there.admin.post(`${GROUPS}/${group}/devices`, { device_ids: [device] }),
      ]);
      const found = await here.admin.get(`${GROUPS}/${group}`);
      expect(found.body.data?.device_count ?? 'gone').toBe(responses[1].body.code === 0 ? 1 : 'gone');
      return messages(responses);
    });
    for (const outcome of outcomes) {
      expect(['分组下存在设备 / 操作成功', '分组不存在 / 操作成功']).toContain(outcome);
    }
  });

  it('leave a deleted device in no group', async () => {
    const group = await here.group('A');
    const outcomes = await repeat(async (index) => {
      const [one, two] = [await here.device(`A${index}`), await here.device(`B${index}`)];
      const responses = await Promise.all([
        here.admin.delete(`${DEVICES}/${two}`),
        there.admin.post(`${GROUPS}/${group}/devices`, { device_ids: [one, two] }),
      ]);
      const wasAdded = responses[1].body.code === 0;
      expect((await here.admin.get(`${GROUPS}/${group}`)).body.data.device_count).toBe(wasAdded ? 1 : 0);
      await here.admin.delete(`${GROUPS}/${group}/devices`, { device_ids: [one] });
      return messages(responses).map((message) => message.replace(/\d+/, 'N'));
    });
    for (const outcome of outcomes) {
      expect(['操作成功 / 操作成功', '操作成功 / 设备不存在: N']).toContain(outcome);
    }
  });

  it('add devices to a group once each, in any order', async () => {
    const ids = await here.devices(20);
    for (let index = 0; index < ROUNDS; index += 1) {
      const group = await here.group(`A${index}`);
      const lists = [ids.slice(0, 15), ids.slice(5).toReversed(), ids, ids.toReversed()];
      const responses = await Promise.all(
        lists.map((device_ids, n) =>
          (n % 2 === 0 ? here : there).admin.post(`${GROUPS}/${group}/devices`, { device_ids }),
        ),
      );
      expect(responses.map(({ body }) => body.code)).toEqual([0, 0, 0, 0]);
      expect(await here.deviceIds(group)).toEqual(ids);
    }
  });

  it('give a serial number to one device only', async () => {
    const outcomes = await repeat(async (index) => {
      const responses = await Promise.all(
        [here, there, here].map((fixture) =>
          fixture.admin.post(DEVICES, { name: 'A', serial_no: `SN-${index}` }),
        ),
      );
      return messages(responses);
    });
    expect(outcomes).toEqual(new Set(['序列号已存在 / 序列号已存在 / 操作成功']));
  });

  it('never return a tree older than the changes before the request', async () => {
    const progress = { done: 0 };
    const write = async (fixture: DeviceFixture, name: string): Promise<void> => {
      for (let index = 0; index < ROUNDS; index += 1) {
        await fixture.group(`${name}${index}`);
        progress.done += 1;
      }
    };
    const read = async (fixture: DeviceFixture): Promise<void> => {
      while (progress.done < 2 * ROUNDS) {
        const before = progress.done;
        expect((await fixture.treeShape()).length).toBeGreaterThanOrEqual(before);
        // On SQLite a request can run within one turn of the event loop.
        await new Promise(setImmediate);
      }
    };
    await Promise.all([write(here, 'A'), write(there, 'B'), read(here), read(there)]);
    expect(await here.treeShape()).toHaveLength(2 * ROUNDS);
  });
});
