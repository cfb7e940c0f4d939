import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';
const IDS = Array.from({ length: 501 }, (_, index) => index + 1);

describe('Devices of a group', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const add = async (group: number | undefined, device_ids: unknown) =>
    fixture.admin.post(`${GROUPS}/${group}/devices`, { device_ids });
  const remove = async (group: number, device_ids: unknown) =>
    fixture.admin.delete(`${GROUPS}/${group}/devices`, { device_ids });

  it('are added with a response of null', async () => {
    const group = await fixture.group('A');
    const ids = await fixture.devices(2);
    const response = await add(group, ids);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ code: 0, message: '操作成功', data: null });
    expect(await fixture.deviceIds(group)).toEqual(ids);
  });

  it('are in a group once, after repeated additions', async () => {
    const group = await fixture.group('A');
    const [one, two, three] = await fixture.devices(3);
    await add(group, [two, two]);
    expect((await add(group, [one, two, three, one])).body.code).toBe(0);
    expect((await add(group, [one, two, three])).body.code).toBe(0);
    expect(await fixture.deviceIds(group)).toEqual([one, two, three]);
  });

  it('can be in several groups', async () => {
    const [one] = await fixture.devices(1);
    const groups = [await fixture.group('A', { device_ids: [one] }), await fixture.group('B')];
    await add(groups[1], [one]);
    for (const group of groups) expect(await fixture.deviceIds(group)).toEqual([one]);
  });

  it('are all added or none: unknown devices are named, and nothing is stored', async () => {
    const group = await fixture.group('A');
    const [one, two] = await fixture.devices(2);
    const response = await add(group, [one, UNKNOWN_ID, two, UNKNOWN_ID + 2]);
    expect(response.status).toBe(422);
    expect(response.body).toEqual({
      code: 422,
      message: `设备不存在: ${UNKNOWN_ID}, ${UNKNOWN_ID + 2}`,
      data: null,
    });
    expect(await fixture.deviceIds(group)).toEqual([]);
  });

  it('are accepted 500 at a time', async () => {
    const group = await fixture.group('A');
    const ids = await fixture.devices(1);
    expect((await add(group, IDS)).body.message).toBe('device_ids 数量不能超过 500');
    const response = await add(
      group,
      IDS.slice(1).map((id) => UNKNOWN_ID + id),
    );
    expect(response.body.message).toMatch(/^设备不存在: 1000000001, /);
    expect(
      (
        await add(
          group,
          [...IDS, ...IDS].map(() => ids[0]),
        )
      ).body.code,
    ).toBe(0);
    expect(await fixture.deviceIds(group)).toEqual(ids);
  });

  it.each([
    [undefined, 'device_ids 字段不能为空'],
    [null, 'device_ids 字段不能为空'],
    [[], 'device_ids 字段不能为空'],
    [7, 'device_ids 必须是数组'],
    [{ 0: 7 }, 'device_ids 必须是数组'],
    [[0], 'device_ids 取值无效'],
    [['7'], 'device_ids 取值无效'],
    [[7, null], 'device_ids 取值无效'],
    [[9_007_199_254_740_992], 'device_ids 取值无效'],
  ])('reject the list %j with "%s" when adding and removing', async (device_ids, message) => {
    const group = await fixture.group('A');
    for (const response of [await add(group, device_ids), await remove(group, device_ids)]) {
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message, data: null });
    }
  });

  it('check the list first, then the group, then the devices', async () => {
    const missing = { code: 404, message: '分组不存在', data: null };
    expect((await add(UNKNOWN_ID, [UNKNOWN_ID])).body).toEqual(missing);
    expect((await add(UNKNOWN_ID, [UNKNOWN_ID])).status).toBe(404);
    expect((await remove(UNKNOWN_ID, [1])).body).toEqual(missing);
    expect((await add(UNKNOWN_ID, [])).body.message).toBe('device_ids 字段不能为空');
  });

  it('are removed, ignoring devices that are unknown or not in the group', async () => {
    const [one, two, three] = await fixture.devices(3);
    const group = await fixture.group('A', { device_ids: [one, two] });
    const other = await fixture.group('B', { device_ids: [two, three] });
    const response = await remove(group, [two, three, UNKNOWN_ID]);
    expect(response.body).toEqual({ code: 0, message: '操作成功', data: null });
    expect(await fixture.deviceIds(group)).toEqual([one]);
    expect(await fixture.deviceIds(other)).toEqual([two, three]);
    expect((await remove(group, [two])).body.code).toBe(0);
  });

  it('are listed as devices, twenty to a page, by id', async () => {
    const ids = await fixture.devices(22);
    const group = await fixture.group('A', { device_ids: ids.toReversed() });
    const first = await fixture.admin.get(`${GROUPS}/${group}/devices`);
    expect(first.body.data.items).toHaveLength(20);
    expect(first.body.data.items[0]).toEqual({
      id: ids[0],
      name: 'Device 1',
      serial_no: null,
      status: 1,
      user_id: null,
      online: false,
      last_seen_at: null,
      version: null,
      battery: null,
      created_at: '2026-01-31T08:00:00.000Z',
      groups: [{ id: group, name: 'A', path: [] }],
    });
    expect(first.body.data.pagination).toEqual({
      total: 22,
      per_page: 20,
      current_page: 1,
      last_page: 2,
      has_more: true,
    });
    expect(first.headers['x-total-count']).toBe('22');
    expect(await fixture.deviceIds(group, 'page=2')).toEqual(ids.slice(20));
    expect(await fixture.deviceIds(group, 'page=3')).toEqual([]);
  });

  it('include those of all descendant groups once each with recursive=1', async () => {
    const [one, two, three, four] = await fixture.devices(4);
    const top = await fixture.group('A', { device_ids: [two] });
    const middle = await fixture.group('B', { parent_id: top, device_ids: [one, two] });
    const bottom = await fixture.group('C', { parent_id: middle, device_ids: [one, three] });
    const aside = await fixture.group('D', { device_ids: [four] });
    expect(await fixture.deviceIds(top, 'recursive=1')).toEqual([one, two, three]);
    expect(await fixture.deviceIds(middle, 'recursive=1')).toEqual([one, two, three]);
    expect(await fixture.deviceIds(bottom, 'recursive=1')).toEqual([one, three]);
    expect(await fixture.deviceIds(aside, 'recursive=1')).toEqual([four]);
    expect(await fixture.deviceIds(top, 'recursive=0')).toEqual([two]);
    const page = await fixture.admin.get(`${GROUPS}/${top}/devices?recursive=1&per_page=2&page=2`);
    expect(page.body.data.items.map(({ id }: { id: number }) => id)).toEqual([three]);
    expect(page.body.data.pagination).toEqual({
      total: 3,
      per_page: 2,
      current_page: 2,
      last_page: 2,
      has_more: false,
    });
    await fixture.admin.put(`${GROUPS}/${bottom}`, { parent_id: aside });
    expect(await fixture.deviceIds(top, 'recursive=1')).toEqual([one, two]);
    expect(await fixture.deviceIds(aside, 'recursive=1')).toEqual([one, three, four]);
  });

  it.each([
    ['recursive=2', 'recursive 取值无效'],
    ['recursive=yes', 'recursive 必须是整数'],
    ['per_page=101', 'per_page 不能大于 100'],
  ])('reject the query %s with "%s"', async (query, message) => {
    const group = await fixture.group('A');
    const response = await fixture.admin.get(`${GROUPS}/${group}/devices?${query}`);
    expect(response.body).toEqual({ code: 422, message, data: null });
  });
});
