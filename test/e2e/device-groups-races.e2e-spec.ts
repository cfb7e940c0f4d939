import type { Answer } from '../support/api-client';
import { Estate } from '../support/estate';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const DEVICES = '/api/admin/devices';
const ROUNDS = raceRounds(50);

const move = (estate: Estate, id: number | undefined, parent_id: number | null | undefined) =>
  estate.admin.put(`${GROUPS}/${id}`, { parent_id });
const messages = (answers: Answer[]): string[] =>
  answers.map(({ body }) => body.message).toSorted((one, other) => (one < other ? -1 : 1));

/** Runs a race again and again, and tells how often each pair of answers came out. */
const repeat = async (round: (index: number) => Promise<string[]>): Promise<Set<string>> => {
  const outcomes = new Set<string>();
  for (let index = 0; index < ROUNDS; index += 1) outcomes.add((await round(index)).join(' / '));
  return outcomes;
};

const countOf = (nodes: unknown[]): number =>
  nodes.reduce<number>((sum, node) => sum + 1 + countOf((node as [string, unknown[]])[1]), 0);

/** Two instances of the service on one database, so that nothing but the database can settle a race. */
describe('Races over device groups', () => {
  let test: TestApp;
  let other: TestApp;
  let here: Estate;
  let there: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
    here = await Estate.of(test);
    there = await Estate.of(other);
  });
  beforeEach(() => here.clear());
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  it('two groups moved into each other never make a cycle: one move wins, the other is refused', async () => {
    const outcomes = await repeat(async (index) => {
      const [a, b] = [await here.group(`A${index}`), await here.group(`B${index}`)];
      return messages(await Promise.all([move(here, a, b), move(there, b, a)]));
    });
    expect(outcomes).toEqual(new Set(['不能移动到自身或下级分组 / 操作成功']));
    const shape = await here.shape();
    expect(shape).toHaveLength(ROUNDS);
    expect(shape.every((root) => (root as [string, unknown[]])[1].length === 1)).toBe(true);
  });

  it('three groups moved in a ring never make a cycle', async () => {
    const outcomes = await repeat(async () => {
      const [a, b, c] = [await here.group('A'), await here.group('B'), await here.group('C')];
      return messages(await Promise.all([move(here, a, b), move(there, b, c), move(here, c, a)]));
    });
    expect(outcomes).toEqual(new Set(['不能移动到自身或下级分组 / 操作成功 / 操作成功']));
    expect(await here.shape()).toHaveLength(ROUNDS);
  });

  it('a subtree that grows while it is moved never comes below the tenth level', async () => {
    const deep = await here.chain(['1', '2', '3', '4', '5', '6', '7', '8']);
    const outcomes = await repeat(async (index) => {
      const [x, y] = await here.chain([`X${index}`, `Y${index}`]);
      const answers = await Promise.all([
        move(here, x, deep[7]),
        there.admin.post(GROUPS, { name: 'Z', parent_id: y }),
      ]);
      return messages(answers);
    });
    expect(outcomes).toEqual(new Set(['分组层级不能超过 10 级 / 操作成功']));
  });

  it('a move and a change of the parent above it keep every path true', async () => {
    const [p, q] = [await here.group('P'), await here.group('Q')];
    const [a, b, c] = await here.chain(['A', 'B', 'C']);
    for (let index = 0; index < ROUNDS; index += 1) {
      const isOdd = index % 2 === 1;
      const answers = await Promise.all([
        move(here, a, isOdd ? p : q),
        move(there, b, isOdd ? null : p),
        here.admin.put(`${GROUPS}/${c}`, { parent_id: isOdd ? a : b, name: `C${index}` }),
      ]);
      expect(messages(answers)).toEqual(['操作成功', '操作成功', '操作成功']);
      const { path } = (await there.admin.get(`${GROUPS}/${c}`)).body.data;
      const ids = path.map(({ id }: { id: number }) => id);
      expect(ids).toEqual(isOdd ? [p, a] : [p, b]);
    }
  });

  it('a group deleted while a sub-group is created in it, or moved into it, leaves no orphan', async () => {
    const outcomes = await repeat(async (index) => {
      const [doomed, stray] = [await here.group(`A${index}`), await here.group(`S${index}`)];
      const answers = await Promise.all([
        here.admin.delete(`${GROUPS}/${doomed}`),
        index % 2 === 0
          ? there.admin.post(GROUPS, { name: 'B', parent_id: doomed })
          : move(there, stray, doomed),
      ]);
      return messages(answers);
    });
    for (const outcome of outcomes) {
      expect(['分组下存在子分组 / 操作成功', '上级分组不存在 / 操作成功']).toContain(outcome);
    }
    const all = (await here.admin.get(`${GROUPS}?per_page=1`)).body.data.pagination.total;
    expect(countOf(await there.shape())).toBe(all);
  });

  it('a group deleted while a device is added to it is refused, or the device is', async () => {
    const [device] = await here.devices(1);
    const outcomes = await repeat(async (index) => {
      const group = await here.group(`A${index}`);
      const answers = await Promise.all([
        here.admin.delete(`${GROUPS}/${group}`),
        there.admin.post(`${GROUPS}/${group}/devices`, { device_ids: [device] }),
      ]);
      const found = await here.admin.get(`${GROUPS}/${group}`);
      expect(found.body.data?.device_count ?? 'gone').toBe(answers[1].body.code === 0 ? 1 : 'gone');
      return messages(answers);
    });
    for (const outcome of outcomes) {
      expect(['分组下存在设备 / 操作成功', '分组不存在 / 操作成功']).toContain(outcome);
    }
  });

  it('a device deleted while it is added to a group is in no group afterwards', async () => {
    const group = await here.group('A');
    const outcomes = await repeat(async (index) => {
      const [one, two] = [await here.device(`A${index}`), await here.device(`B${index}`)];
      const answers = await Promise.all([
        here.admin.delete(`${DEVICES}/${two}`),
        there.admin.post(`${GROUPS}/${group}/devices`, { device_ids: [one, two] }),
      ]);
      const wasAdded = answers[1].body.code === 0;
      expect((await here.admin.get(`${GROUPS}/${group}`)).body.data.device_count).toBe(wasAdded ? 1 : 0);
      await here.admin.delete(`${GROUPS}/${group}/devices`, { device_ids: [one] });
      return messages(answers).map((message) => message.replace(/\d+/, 'N'));
    });
    for (const outcome of outcomes) {
      expect(['操作成功 / 操作成功', '操作成功 / 设备不存在: N']).toContain(outcome);
    }
  });

  it('devices added by several at once, in any order, are in the group once each', async () => {
    const ids = await here.devices(20);
    for (let index = 0; index < ROUNDS; index += 1) {
      const group = await here.group(`A${index}`);
      const lists = [ids.slice(0, 15), ids.slice(5).toReversed(), ids, ids.toReversed()];
      const answers = await Promise.all(
        lists.map((device_ids, n) =>
          (n % 2 === 0 ? here : there).admin.post(`${GROUPS}/${group}/devices`, { device_ids }),
        ),
      );
      expect(answers.map(({ body }) => body.code)).toEqual([0, 0, 0, 0]);
      expect(await here.idsIn(group)).toEqual(ids);
    }
  });

  it('a serial number is given to one device, however many ask for it at once', async () => {
    const outcomes = await repeat(async (index) => {
      const answers = await Promise.all(
        [here, there, here].map((estate) =>
          estate.admin.post(DEVICES, { name: 'A', serial_no: `SN-${index}` }),
        ),
      );
      return messages(answers);
    });
    expect(outcomes).toEqual(new Set(['序列号已存在 / 序列号已存在 / 操作成功']));
  });

  it('a tree read in the middle of changes is never older than the changes before the reading', async () => {
    const progress = { done: 0 };
    const write = async (estate: Estate, name: string): Promise<void> => {
      for (let index = 0; index < ROUNDS; index += 1) {
        await estate.group(`${name}${index}`);
        progress.done += 1;
      }
    };
    const read = async (estate: Estate): Promise<void> => {
      while (progress.done < 2 * ROUNDS) {
        const before = progress.done;
        expect((await estate.shape()).length).toBeGreaterThanOrEqual(before);
        // On the embedded database a whole request can pass without the event loop turning once.
        await new Promise(setImmediate);
      }
    };
    await Promise.all([write(here, 'A'), write(there, 'B'), read(here), read(there)]);
    expect(await here.shape()).toHaveLength(2 * ROUNDS);
  });
});
