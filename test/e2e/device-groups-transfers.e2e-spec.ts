import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { auditRows } from '../support/audit/audit-rows';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

describe('Device transfers between groups', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const move = async (to: number, from_group_id: number, device_ids: unknown, { admin } = fixture) =>
    (await admin.post(`${GROUPS}/${to}/devices/move`, { device_ids, from_group_id })).body;

  it('remove devices from the source and add them to the target, and keep other memberships', async () => {
    const [a = 0, b = 0, c = 0] = await fixture.devices(3);
    const [from, to] = [
      await fixture.group('From', { device_ids: [a, b, c] }),
      await fixture.group('To', { device_ids: [b] }),
    ];
    const third = await fixture.group('Third', { device_ids: [a] });
    expect(await move(to, from, [a, b, a])).toEqual({ code: 0, message: '操作成功', data: { affected: 2 } });
    expect(await fixture.deviceIds(from)).toEqual([c]);
    expect(await fixture.deviceIds(to)).toEqual([a, b]);
    expect(await fixture.deviceIds(third)).toEqual([a]);
    expect((await fixture.admin.get(`${GROUPS}/${to}`)).body.data.device_count).toBe(2);
    expect((await auditRows(test, 'device.move')).at(-1)).toMatchObject({
      object_id: null,
      before: null,
      after: { affected: 2, device_ids: [a, b], from_group_id: from, group_id: to },
    });
  });

  it('change nothing when a device or a group is unknown', async () => {
    const [a = 0, b = 0] = await fixture.devices(2);
    const [from, to] = [await fixture.group('From', { device_ids: [a] }), await fixture.group('To')];
    const before = (await auditRows(test)).length;
    const message = `设备不存在: ${b}, ${UNKNOWN_ID}`;
    expect(await move(to, from, [a, b, UNKNOWN_ID])).toEqual({ code: 422, message, data: null });
    const missing = { code: 404, message: '分组不存在', data: null };
    expect(await move(UNKNOWN_ID, from, [a])).toEqual(missing);
    expect(await move(to, UNKNOWN_ID, [a])).toEqual(missing);
    expect(await move(from, from, [a])).toEqual({ code: 0, message: '操作成功', data: { affected: 0 } });
    expect([await fixture.deviceIds(from), await fixture.deviceIds(to)]).toEqual([[a], []]);
    expect(await auditRows(test)).toHaveLength(before);
  });

  it.each([
    [{}, 'device_ids 字段不能为空'],
    [{ device_ids: [1] }, 'from_group_id 字段不能为空'],
    [{ device_ids: [1], from_group_id: 'x' }, 'from_group_id 必须是整数'],
    [{ device_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'device_ids 数量不能超过 500'],
  ])('are rejected when invalid: %#', async (body, message) => {
    const group = await fixture.group('G');
    const response = await fixture.admin.post(`${GROUPS}/${group}/devices/move`, body);
    expect(response.body).toEqual({ code: 422, message, data: null });
  });

  it('lose no device when they cross on two instances during other changes', async () => {
    const other = await createTestApp({ database: test.database });
    try {
      const there = await DeviceFixture.create(other);
      const ids = await fixture.devices(8);
      const [a, b] = [await fixture.group('A', { device_ids: ids.slice(0, 4) }), await fixture.group('B')];
      const c = await fixture.group('C', { device_ids: ids.slice(4, 7) });
      for (let round = 0; round < 15; round += 1) {
        const responses = await Promise.all([
          move(b, a, ids.slice(0, 2)),
          move(a, b, ids.slice(0, 2), there),
          move(c, a, [ids[2]], there),
          move(a, c, [ids[2]]),
          move(b, c, ids.slice(4, 6)),
          move(c, b, ids.slice(4, 6), there),
          there.admin.post(`${GROUPS}/${b}/devices`, { device_ids: [ids[7]] }).then(({ body }) => body),
        ]);
        expect(responses.filter(({ code }) => ![0, 422].includes(code))).toEqual([]);
        const found = [
          await fixture.deviceIds(a),
          await fixture.deviceIds(b),
          await fixture.deviceIds(c),
        ].flat();
        expect(found.toSorted((x, y) => x - y)).toEqual(ids);
      }
      await Promise.all([
        move(b, c, ids.slice(4, 7)),
        there.admin.delete('/api/admin/devices', { device_ids: [ids[6]] }),
      ]);
      const left = [
        await fixture.deviceIds(a),
        await fixture.deviceIds(b),
        await fixture.deviceIds(c),
      ].flat();
      expect(left.toSorted((x, y) => x - y)).toEqual(ids.filter((id) => id !== ids[6]));
    } finally {
      await other.close();
    }
  });
});
