import * as fc from 'fast-check';
import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const DEVICES = '/api/admin/devices';
const OK = '操作成功';
/** Levels of the chain that every run starts with, so that the limit of ten is near. */
const FIRST_LEVELS = 9;

interface ModelGroup {
  id: number;
  name: string;
  parent: ModelGroup | null;
  sort_order: number;
  devices: Set<number>;
}

/** A plain tree in memory, with the rules of API 11.3 written the slow and obvious way. */
class Model {
  readonly groups: ModelGroup[] = [];
  readonly devices: number[] = [];

  inOrder = (groups: ModelGroup[]): ModelGroup[] =>
    groups.toSorted((a, b) => a.sort_order - b.sort_order || a.id - b.id);
  childrenOf = (parent: ModelGroup | null): ModelGroup[] =>
    this.inOrder(this.groups.filter((group) => group.parent === parent));
  above = (group: ModelGroup): ModelGroup[] =>
    group.parent === null ? [] : [...this.above(group.parent), group.parent];
  below = (group: ModelGroup): ModelGroup[] =>
    this.childrenOf(group).flatMap((child) => [child, ...this.below(child)]);
  levels = (group: ModelGroup): number =>
    1 + Math.max(0, ...this.childrenOf(group).map((child) => this.levels(child)));
  depth = (group: ModelGroup | null): number => (group === null ? 0 : this.above(group).length + 1);
  devicesBelow = (group: ModelGroup): number[] =>
    [...new Set([group, ...this.below(group)].flatMap(({ devices }) => [...devices]))].toSorted(
      (a, b) => a - b,
    );
}

/** Reads the service in the form of the model. */
class Real {
  constructor(readonly fixture: DeviceFixture) {}

  send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body: object) =>
    (await this.fixture.admin.send(method, url, body)).body;
  read = async (url: string) => (await this.fixture.admin.get(url)).body.data;
}

const nodeOf = (group: ModelGroup): object => ({
  id: group.id,
  name: group.name,
  description: '',
  parent_id: group.parent?.id ?? null,
  sort_order: group.sort_order,
  status: 1,
});
const treeOf = (model: Model, parent: ModelGroup | null): object[] =>
  model.childrenOf(parent).map((group) => ({ ...nodeOf(group), children: treeOf(model, group) }));

/** Asserts that every read equals the model. */
async function compare(model: Model, real: Real): Promise<void> {
  expect(await real.read(`${GROUPS}/tree`)).toEqual(treeOf(model, null));
  const countsOf = (group: ModelGroup) => ({
    device_count: group.devices.size,
    total_device_count: model.devicesBelow(group).length,
  });
  const all = model.inOrder(model.groups).map((group) => ({ ...nodeOf(group), ...countsOf(group) }));
  const counts = model.groups
    .map((group) => ({ id: group.id, ...countsOf(group) }))
    .filter(({ total_device_count }) => total_device_count > 0);
  expect(await real.read(`${GROUPS}/device-counts`)).toEqual(counts.toSorted((a, b) => a.id - b.id));
  const pagination = { current_page: 1, per_page: 100, total: all.length, total_pages: 1 };
  expect(await real.read(`${GROUPS}?per_page=100`)).toEqual({ items: all, pagination });
  const compareGroup = async (group: ModelGroup): Promise<void> => {
    expect(await real.read(`${GROUPS}/${group.id}`)).toEqual({
      ...nodeOf(group),
      ...countsOf(group),
      child_count: model.childrenOf(group).length,
      path: model.above(group).map(({ id, name }) => ({ id, name })),
    });
    const expected = model.devicesBelow(group);
    expect(await real.fixture.deviceIds(group.id, 'per_page=100&recursive=1')).toEqual(expected);
  };
  await Promise.all(model.groups.map(compareGroup));
}

type Command = fc.AsyncCommand<Model, Real>;

/** Converts a step, which returns the message of the service and of the model, into a command. */
const command = (name: string, step: (model: Model, real: Real) => Promise<[string, string]>): Command => ({
  check: () => true,
  async run(model, real) {
    const [actual, expected] = await step(model, real);
    expect(actual).toBe(expected);
    await compare(model, real);
  },
  toString: () => name,
});

/** Returns an item by a number from 0 that may exceed the length of the list. */
const pick = <T>(items: T[], at: number): T | undefined => items[at % items.length];

const create = (at: number, sort_order: number, deviceAt: number[]): Command =>
  command(`create(${at}, ${sort_order}, [${deviceAt.join()}])`, async (model, real) => {
    const parent = pick([null, ...model.groups], at) ?? null;
    const device_ids = deviceAt.flatMap((where) => pick(model.devices, where) ?? []);
    const name = `G${model.groups.length}`;
    const body = { name, parent_id: parent?.id ?? null, sort_order, device_ids };
    const { message, data } = await real.send('POST', GROUPS, body);
    if (model.depth(parent) >= 10) return [message, '分组层级不能超过 10 级'];
    model.groups.push({ id: data.id, name, parent, sort_order, devices: new Set(device_ids) });
    return [message, OK];
  });

const move = (at: number, to: number): Command =>
  command(`move(${at}, ${to})`, async (model, real) => {
    const group = pick(model.groups, at);
    if (group === undefined) return [OK, OK];
    const parent = pick([null, ...model.groups], to) ?? null;
    const body = { parent_id: parent?.id ?? null };
    const { message } = await real.send('PUT', `${GROUPS}/${group.id}`, body);
    if (parent === group.parent) return [message, OK];
    if (parent !== null && [group, ...model.below(group)].includes(parent)) {
      return [message, '不能移动到自身或下级分组'];
    }
    if (model.depth(parent) + model.levels(group) > 10) return [message, '分组层级不能超过 10 级'];
    group.parent = parent;
    return [message, OK];
  });

/** Moves groups before a sibling, or last, with the simplest algorithm. */
const arrange = (model: Model, moved: ModelGroup[], parent: ModelGroup | null, before?: ModelGroup): void => {
  const others = model.childrenOf(parent).filter((group) => !moved.includes(group));
  const at = before === undefined ? others.length : others.indexOf(before);
  for (const group of moved) group.parent = parent;
  for (const [index, group] of [...others.slice(0, at), ...moved, ...others.slice(at)].entries())
    group.sort_order = 10 * (index + 1);
};

const moveAll = (ats: number[], to: number, beside: number): Command =>
  command(`moveAll([${ats.join()}], ${to}, ${beside})`, async (model, real) => {
    const moved = [...new Set(ats.flatMap((at) => pick(model.groups, at) ?? []))];
    if (moved.length === 0) return [OK, OK];
    const parent = pick([null, ...model.groups], to) ?? null;
    const before = beside % 2 === 0 ? undefined : pick(model.childrenOf(parent), beside);
    const target = { parent_id: parent?.id ?? null, before_id: before?.id };
    const [only] = moved;
    const { message } =
      moved.length === 1
        ? await real.send('PUT', `${GROUPS}/${only?.id}/position`, target)
        : await real.send('POST', `${GROUPS}/move`, { group_ids: moved.map(({ id }) => id), ...target });
    if (moved.some((group) => moved.some((other) => model.below(other).includes(group))))
      return [message, 'group_ids 取值无效'];
    for (const group of moved.filter((one) => one.parent !== parent)) {
      if (parent !== null && [group, ...model.below(group)].includes(parent))
        return [message, '不能移动到自身或下级分组'];
      if (model.depth(parent) + model.levels(group) > 10) return [message, '分组层级不能超过 10 级'];
    }
    if (before !== undefined && moved.includes(before)) return [message, 'before_id 取值无效'];
    arrange(model, moved, parent, before);
    return [message, OK];
  });

const change = (at: number, sort_order: number): Command =>
  command(`change(${at}, ${sort_order})`, async (model, real) => {
    const group = pick(model.groups, at);
    if (group === undefined) return [OK, OK];
    const name = `${group.name}'`;
    const { message } = await real.send('PUT', `${GROUPS}/${group.id}`, { name, sort_order });
    Object.assign(group, { name, sort_order });
    return [message, OK];
  });

const remove = (at: number): Command =>
  command(`delete(${at})`, async (model, real) => {
    const group = pick(model.groups, at);
    const { message } = await real.send('DELETE', `${GROUPS}/${group?.id ?? UNKNOWN_ID}`, {});
    if (group === undefined) return [message, '分组不存在'];
    if (model.childrenOf(group).length > 0) return [message, '分组下存在子分组'];
    if (group.devices.size > 0) return [message, '分组下存在设备'];
    model.groups.splice(model.groups.indexOf(group), 1);
    return [message, OK];
  });

const addDevices = (at: number, deviceAt: number[], withUnknown: boolean): Command =>
  command(`add(${at}, [${deviceAt.join()}], ${withUnknown})`, async (model, real) => {
    const group = pick(model.groups, at);
    const known = deviceAt.flatMap((where) => pick(model.devices, where) ?? []);
    const device_ids = withUnknown ? [...known, UNKNOWN_ID] : known;
    if (device_ids.length === 0) return [OK, OK];
    const url = `${GROUPS}/${group?.id ?? UNKNOWN_ID}/devices`;
    const { message } = await real.send('POST', url, { device_ids });
    if (group === undefined) return [message, '分组不存在'];
    if (withUnknown) return [message, `设备不存在: ${UNKNOWN_ID}`];
    for (const id of known) group.devices.add(id);
    return [message, OK];
  });

const removeDevices = (at: number, deviceAt: number[]): Command =>
  command(`remove(${at}, [${deviceAt.join()}])`, async (model, real) => {
    const group = pick(model.groups, at);
    const device_ids = [...deviceAt.flatMap((where) => pick(model.devices, where) ?? []), UNKNOWN_ID];
    const url = `${GROUPS}/${group?.id ?? UNKNOWN_ID}/devices`;
    const { message } = await real.send('DELETE', url, { device_ids });
    if (group === undefined) return [message, '分组不存在'];
    for (const id of device_ids) group.devices.delete(id);
    return [message, OK];
  });

const createDevice = (): Command =>
  command('createDevice', async (model, real) => {
    const { message, data } = await real.send('POST', DEVICES, { name: 'D' });
    model.devices.push(data.id);
    return [message, OK];
  });

const deleteDevice = (at: number): Command =>
  command(`deleteDevice(${at})`, async (model, real) => {
    const id = pick(model.devices, at);
    const { message } = await real.send('DELETE', `${DEVICES}/${id ?? UNKNOWN_ID}`, {});
    if (id === undefined) return [message, '设备不存在'];
    model.devices.splice(model.devices.indexOf(id), 1);
    for (const { devices } of model.groups) devices.delete(id);
    return [message, OK];
  });

const where = fc.nat(999_983);
const someDevices = fc.array(where, { maxLength: 4 });
const sortOrder = fc.integer({ min: -2, max: 2 });
const COMMANDS = [
  fc.tuple(where, sortOrder, someDevices).map((args) => create(...args)),
  fc.tuple(where, where).map((args) => move(...args)),
  fc.tuple(where, where).map((args) => move(...args)),
  fc.tuple(fc.array(where, { minLength: 1, maxLength: 3 }), where, where).map((args) => moveAll(...args)),
  fc.tuple(where, sortOrder).map((args) => change(...args)),
  where.map(remove),
  fc.tuple(where, someDevices, fc.boolean()).map((args) => addDevices(...args)),
  fc.tuple(where, someDevices).map((args) => removeDevices(...args)),
  fc.constant(createDevice()),
  where.map(deleteDevice),
];

describe('Random operations on device groups', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  afterAll(() => test?.close());

  /** Creates the first groups and devices in the service and in the model. */
  const start = async (): Promise<{ model: Model; real: Real }> => {
    await fixture.clear();
    const model = new Model();
    for (let level = 1; level <= FIRST_LEVELS; level += 1) {
      const parent = model.groups.at(-1) ?? null;
      const id = await fixture.group(`L${level}`, { parent_id: parent?.id ?? null });
      model.groups.push({ id, name: `L${level}`, parent, sort_order: 0, devices: new Set() });
    }
    model.devices.push(...(await fixture.devices(3)));
    return { model, real: new Real(fixture) };
  };

  it('match an in-memory tree after every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 30, size: 'max' }), async (commands) => {
        await fc.asyncModelRun(start, commands);
      }),
      propertyRuns(12),
    );
  });
});
