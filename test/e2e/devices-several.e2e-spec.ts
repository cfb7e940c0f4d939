import { Estate, UNKNOWN_ID } from '../support/estate';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = '/api/admin/devices';
const GROUPS = '/api/admin/device-groups';

describe('Several devices', () => {
  let test: TestApp;
  let estate: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
  });
  beforeEach(() => estate.clear());
  afterAll(() => test?.close());

  const bulk = async (body: object) => (await estate.admin.put(`${DEVICES}/bulk`, body)).body;
  const removal = async (body: object) => (await estate.admin.delete(DEVICES, body)).body;
  const statuses = async (): Promise<number[]> =>
    (await estate.admin.get(DEVICES)).body.data.items.map(({ status }: { status: number }) => status);
  const refusal = (message: string) => ({ code: 422, message, data: null });

  it('are enabled and disabled at once; those counted are the ones that change', async () => {
    const [one, two, three] = await estate.devices(3);
    expect(await bulk({ device_ids: [one, three, three], status: 0 })).toEqual({
      code: 0,
      message: '操作成功',
      data: { affected: 2 },
    });
    expect(await statuses()).toEqual([0, 1, 0]);
    expect((await bulk({ device_ids: [one, two, three], status: 0 })).data).toEqual({ affected: 1 });
    expect((await bulk({ device_ids: [one, two, three], status: 0 })).data).toEqual({ affected: 0 });
  });

  it('are deleted at once, leave their groups, and free their serial numbers', async () => {
    const ids = [await estate.device('A', { serial_no: 'SN-1' }), await estate.device('B')];
    const group = await estate.group('G', { device_ids: ids });
    const kept = await estate.device('C');
    expect(await removal({ device_ids: ids })).toEqual({
      code: 0,
      message: '操作成功',
      data: { affected: 2 },
    });
    expect((await estate.admin.get(DEVICES)).body.data.items).toMatchObject([{ id: kept }]);
    expect((await estate.admin.get(`${GROUPS}/${group}`)).body.data.device_count).toBe(0);
    expect(await estate.device('D', { serial_no: 'SN-1' })).toEqual(expect.any(Number));
  });

  it('stay as they are when one of them is unknown', async () => {
    const [one] = await estate.devices(2);
    const device_ids = [one, UNKNOWN_ID, UNKNOWN_ID + 1];
    const message = `设备不存在: ${UNKNOWN_ID}, ${UNKNOWN_ID + 1}`;
    expect(await bulk({ device_ids, status: 0 })).toEqual(refusal(message));
    expect(await removal({ device_ids })).toEqual(refusal(message));
    expect(await statuses()).toEqual([1, 1]);
  });

  it.each([
    [{}, 'device_ids 字段不能为空'],
    [{ device_ids: [] }, 'device_ids 字段不能为空'],
    [{ device_ids: 'x' }, 'device_ids 必须是数组'],
    [{ device_ids: [0] }, 'device_ids 取值无效'],
    [{ device_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'device_ids 数量不能超过 500'],
  ])('are refused when wrongly named: %#', async (body, message) => {
    expect(await bulk({ ...body, status: 0 })).toEqual(refusal(message));
    expect(await removal(body)).toEqual(refusal(message));
  });

  it.each([
    [{}, 'status 字段不能为空'],
    [{ status: null }, 'status 字段不能为空'],
    [{ status: 2 }, 'status 取值无效'],
    [{ status: true }, 'status 必须是整数'],
  ])('are not changed to %j', async (body, message) => {
    const device_ids = await estate.devices(1);
    expect(await bulk({ device_ids, ...body })).toEqual(refusal(message));
  });

  it('changed and deleted at once by several are so once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = await estate.devices(5);
      const answers = await Promise.all([
        removal({ device_ids: ids }),
        removal({ device_ids: ids.toReversed() }),
        bulk({ device_ids: ids, status: 0 }),
      ]);
      const removals = answers.slice(0, 2).map(({ code, data }) => data?.affected ?? code);
      expect(new Set(removals)).toEqual(new Set([422, 5]));
      expect([0, 422]).toContain(answers[2]?.code);
      expect((await estate.admin.get(DEVICES)).body.data.items).toEqual([]);
    }
  });

  describe('say where they are', () => {
    it('each group with those above it, in the order of groups', async () => {
      const device = await estate.device('A');
      const [top, middle, low] = await estate.chain(['一号楼', '1 单元', '1 层']);
      const other = await estate.group('B', { sort_order: -1, device_ids: [device] });
      await estate.admin.post(`${GROUPS}/${low}/devices`, { device_ids: [device] });
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
      expect((await estate.admin.get(`${DEVICES}/${device}`)).body.data.groups).toEqual(groups);
      expect((await estate.admin.put(`${DEVICES}/${device}`, { status: 0 })).body.data).toMatchObject({
        status: 0,
        groups,
      });
      expect((await estate.admin.get(DEVICES)).body.data.items).toMatchObject([{ id: device, groups }]);
      const below = await estate.admin.get(`${GROUPS}/${top}/devices?recursive=1`);
      expect(below.body.data.items).toMatchObject([{ id: device, groups }]);
    });

    it('as it is after a move, and after they have left', async () => {
      const device = await estate.device('A');
      const [a, b] = [await estate.group('A', { device_ids: [device] }), await estate.group('B')];
      const groupsOf = async () => (await estate.admin.get(`${DEVICES}/${device}`)).body.data.groups;
      await estate.admin.put(`${GROUPS}/${a}`, { parent_id: b, name: 'C' });
      expect(await groupsOf()).toEqual([{ id: a, name: 'C', path: [{ id: b, name: 'B' }] }]);
      await estate.admin.delete(`${GROUPS}/${a}/devices`, { device_ids: [device] });
      expect(await groupsOf()).toEqual([]);
    });
  });
});
