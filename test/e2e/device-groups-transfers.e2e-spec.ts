import { Estate, UNKNOWN_ID } from '../support/estate';
import { auditRows } from '../support/audit/audit-rows';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

describe('Devices that move from a group into another', () => {
  let test: TestApp;
  let estate: Estate;
  beforeAll(async () => {
    test = await createTestApp();
    estate = await Estate.of(test);
  });
  beforeEach(() => estate.clear());
  afterAll(() => test?.close());

  const move = async (to: number, from_group_id: number, device_ids: unknown, { admin } = estate) =>
    (await admin.post(`${GROUPS}/${to}/devices/move`, { device_ids, from_group_id })).body;

  it('leave the one and are in the other, and in a third as before', async () => {
    const [a = 0, b = 0, c = 0] = await estate.devices(3);
    const [from, to] = [
      await estate.group('From', { device_ids: [a, b, c] }),
      await estate.group('To', { device_ids: [b] }),
    ];
    const third = await estate.group('Third', { device_ids: [a] });
    expect(await move(to, from, [a, b, a])).toEqual({ code: 0, message: '操作成功', data: { affected: 2 } });
    expect(await estate.idsIn(from)).toEqual([c]);
    expect(await estate.idsIn(to)).toEqual([a, b]);
    expect(await estate.idsIn(third)).toEqual([a]);
    expect((await estate.admin.get(`${GROUPS}/${to}`)).body.data.device_count).toBe(2);
    expect((await auditRows(test, 'device.move')).at(-1)).toMatchObject({
      object_id: null,
      before: null,
      after: { affected: 2, device_ids: [a, b], from_group_id: from, group_id: to },
    });
  });

  it('stay where they are when one of them is not there, or a group is not', async () => {
    const [a = 0, b = 0] = await estate.devices(2);
    const [from, to] = [await estate.group('From', { device_ids: [a] }), await estate.group('To')];
    const before = (await auditRows(test)).length;
    const message = `设备不存在: ${b}, ${UNKNOWN_ID}`;
    expect(await move(to, from, [a, b, UNKNOWN_ID])).toEqual({ code: 422, message, data: null });
    const missing = { code: 404, message: '分组不存在', data: null };
    expect(await move(UNKNOWN_ID, from, [a])).toEqual(missing);
    expect(await move(to, UNKNOWN_ID, [a])).toEqual(missing);
    expect(await move(from, from, [a])).toEqual({ code: 0, message: '操作成功', data: { affected: 0 } });
    expect([await estate.idsIn(from), await estate.idsIn(to)]).toEqual([[a], []]);
    expect(await auditRows(test)).toHaveLength(before);
  });

  it.each([
    [{}, 'device_ids 字段不能为空'],
    [{ device_ids: [1] }, 'from_group_id 字段不能为空'],
    [{ device_ids: [1], from_group_id: 'x' }, 'from_group_id 必须是整数'],
    [{ device_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'device_ids 数量不能超过 500'],
  ])('are refused when wrongly named: %#', async (body, message) => {
    const group = await estate.group('G');
    const answer = await estate.admin.post(`${GROUPS}/${group}/devices/move`, body);
    expect(answer.body).toEqual({ code: 422, message, data: null });
  });

  it('are never lost by moves that cross, on two instances, while others come, go and are deleted', async () => {
    const other = await createTestApp({ database: test.database });
    try {
      const there = await Estate.of(other);
      const ids = await estate.devices(8);
      const [a, b] = [await estate.group('A', { device_ids: ids.slice(0, 4) }), await estate.group('B')];
      const c = await estate.group('C', { device_ids: ids.slice(4, 7) });
      for (let round = 0; round < 15; round += 1) {
        const answers = await Promise.all([
          move(b, a, ids.slice(0, 2)),
          move(a, b, ids.slice(0, 2), there),
          move(c, a, [ids[2]], there),
          move(a, c, [ids[2]]),
          move(b, c, ids.slice(4, 6)),
          move(c, b, ids.slice(4, 6), there),
          there.admin.post(`${GROUPS}/${b}/devices`, { device_ids: [ids[7]] }).then(({ body }) => body),
        ]);
        expect(answers.filter(({ code }) => ![0, 422].includes(code))).toEqual([]);
        const found = [await estate.idsIn(a), await estate.idsIn(b), await estate.idsIn(c)].flat();
        expect(found.toSorted((x, y) => x - y)).toEqual(ids);
      }
      await Promise.all([
        move(b, c, ids.slice(4, 7)),
        there.admin.delete('/api/admin/devices', { device_ids: [ids[6]] }),
      ]);
      const left = [await estate.idsIn(a), await estate.idsIn(b), await estate.idsIn(c)].flat();
      expect(left.toSorted((x, y) => x - y)).toEqual(ids.filter((id) => id !== ids[6]));
    } finally {
      await other.close();
    }
  });
});
