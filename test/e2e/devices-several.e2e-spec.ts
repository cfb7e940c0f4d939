import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = '/api/admin/devices';
const GROUPS = '/api/admin/device-groups';

describe('Bulk requests for devices', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const bulk = async (body: object) => (await fixture.admin.put(`${DEVICES}/bulk`, body)).body;
  const removal = async (body: object) => (await fixture.admin.delete(DEVICES, body)).body;
  const statuses = async (): Promise<number[]> =>
    (await fixture.admin.get(DEVICES)).body.data.items.map(({ status }: { status: number }) => status);
  const rejection = (message: string) => ({ code: 422, message, data: null });

  it('enable and disable devices, and return the number that changed', async () => {
    const [one, two, three] = await fixture.devices(3);
    expect(await bulk({ device_ids: [one, three, three], status: 0 })).toEqual({
      code: 0,
      message: '操作成功',
      data: { affected: 2 },
    });
    expect(await statuses()).toEqual([0, 1, 0]);
    expect((await bulk({ device_ids: [one, two, three], status: 0 })).data).toEqual({ affected: 1 });
    expect((await bulk({ device_ids: [one, two, three], status: 0 })).data).toEqual({ affected: 0 });
  });

  it('enable and disable the devices that match a filter', async () => {
    await fixture.devices(3);
    await fixture.device('Gate');
    const matching = async (query: string, body: object) =>
      (await fixture.admin.put(`${DEVICES}/matching?${query}`, body)).body.data;
    expect(await matching('keyword=gate', { status: 0 })).toEqual({
      affected: 1,
      matched: 1,
      next_after_id: null,
    });
    expect(await statuses()).toEqual([1, 1, 1, 0]);
    expect(await matching('status=1', { status: 0 })).toEqual({
      affected: 3,
      matched: 3,
      next_after_id: null,
    });
    expect(await statuses()).toEqual([0, 0, 0, 0]);
  });

  it('delete devices, their memberships, and free their serial numbers', async () => {
    const ids = [await fixture.device('A', { serial_no: 'SN-1' }), await fixture.device('B')];
    const group = await fixture.group('G', { device_ids: ids });
    const kept = await fixture.device('C');
    expect(await removal({ device_ids: ids })).toEqual({
      code: 0,
      message: '操作成功',
      data: { affected: 2 },
    });
    expect((await fixture.admin.get(DEVICES)).body.data.items).toMatchObject([{ id: kept }]);
    expect((await fixture.admin.get(`${GROUPS}/${group}`)).body.data.device_count).toBe(0);
    expect(await fixture.device('D', { serial_no: 'SN-1' })).toEqual(expect.any(Number));
  });

  it('change nothing when a device is unknown', async () => {
    const [one] = await fixture.devices(2);
    const device_ids = [one, UNKNOWN_ID, UNKNOWN_ID + 1];
    const message = `设备不存在: ${UNKNOWN_ID}, ${UNKNOWN_ID + 1}`;
    expect(await bulk({ device_ids, status: 0 })).toEqual(rejection(message));
    expect(await removal({ device_ids })).toEqual(rejection(message));
    expect(await statuses()).toEqual([1, 1]);
  });

  it.each([
    [{}, 'device_ids 字段不能为空'],
    [{ device_ids: [] }, 'device_ids 字段不能为空'],
    [{ device_ids: 'x' }, 'device_ids 必须是数组'],
    [{ device_ids: [0] }, 'device_ids 取值无效'],
    [{ device_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'device_ids 数量不能超过 500'],
  ])('are rejected with invalid ids: %#', async (body, message) => {
    expect(await bulk({ ...body, status: 0 })).toEqual(rejection(message));
    expect(await removal(body)).toEqual(rejection(message));
  });

  it.each([
    [{}, 'status 字段不能为空'],
    [{ status: null }, 'status 字段不能为空'],
    [{ status: 2 }, 'status 取值无效'],
    [{ status: true }, 'status 必须是整数'],
  ])('reject the change %j', async (body, message) => {
    const device_ids = await fixture.devices(1);
    expect(await bulk({ device_ids, ...body })).toEqual(rejection(message));
  });

  it('apply concurrent changes and deletions once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = await fixture.devices(5);
      const responses = await Promise.all([
        removal({ device_ids: ids }),
        removal({ device_ids: ids.toReversed() }),
        bulk({ device_ids: ids, status: 0 }),
      ]);
      const removals = responses.slice(0, 2).map(({ code, data }) => data?.affected ?? code);
      expect(new Set(removals)).toEqual(new Set([422, 5]));
      expect([0, 422]).toContain(responses[2]?.code);
      expect((await fixture.admin.get(DEVICES)).body.data.items).toEqual([]);
    }
  });

  describe('list the groups of devices', () => {
    it('with their ancestors, in the order of groups', async () => {
      const device = await fixture.device('A');
      const [top, middle, low] = await fixture.nestedGroups(['一号楼', '1 单元', '1 层']);
      const other = await fixture.group('B', { sort_order: -1, device_ids: [device] });
      await fixture.admin.post(`${GROUPS}/${low}/devices`, { device_ids: [device] });
      const groups = [
        { id: other, name: 'B', path: [] },
        {
          id: low,
          name: '1 层',
          path: [
            { id: top, name: '一号楼' },
            { id: middle, name: '1 单元' },
          ],
        },
      ];
      expect((await fixture.admin.get(`${DEVICES}/${device}`)).body.data.groups).toEqual(groups);
      expect((await fixture.admin.put(`${DEVICES}/${device}`, { status: 0 })).body.data).toMatchObject({
        status: 0,
        groups,
      });
      expect((await fixture.admin.get(DEVICES)).body.data.items).toMatchObject([{ id: device, groups }]);
      const below = await fixture.admin.get(`${GROUPS}/${top}/devices?recursive=1`);
      expect(below.body.data.items).toMatchObject([{ id: device, groups }]);
    });

    it('after moves and removals', async () => {
      const device = await fixture.device('A');
      const [a, b] = [await fixture.group('A', { device_ids: [device] }), await fixture.group('B')];
      const groupsOf = async () => (await fixture.admin.get(`${DEVICES}/${device}`)).body.data.groups;
      await fixture.admin.put(`${GROUPS}/${a}`, { parent_id: b, name: 'C' });
      expect(await groupsOf()).toEqual([{ id: a, name: 'C', path: [{ id: b, name: 'B' }] }]);
      await fixture.admin.delete(`${GROUPS}/${a}/devices`, { device_ids: [device] });
      expect(await groupsOf()).toEqual([]);
    });
  });
});
