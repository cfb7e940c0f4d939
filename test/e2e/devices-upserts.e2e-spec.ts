import { DomainEventReader } from '../support/domain-events';
import { auditRows } from '../support/audit/audit-rows';
import { newUserIds } from '../support/calls';
import { DeviceFixture, UNKNOWN_ID } from '../support/device-fixture';
import { createTerminal, sendHeartbeat, deviceOf, onlineCount } from '../support/terminals';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const DEVICES = '/api/admin/devices';

describe('Bulk upserts of devices', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => test?.close());

  const tell = async (devices: unknown, { admin } = fixture) =>
    (await admin.post(`${DEVICES}/bulk`, { devices })).body;
  const results = async (devices: unknown[], who = fixture): Promise<string[]> =>
    (await tell(devices, who)).data.items.map(
      ({ result, message }: { result: string; message: string | null }) => message ?? result,
    );
  const bySerial = async (serial: string) =>
    (await fixture.admin.get(`${DEVICES}?keyword=${serial}`)).body.data.items[0];

  it('create new devices, update changed ones, and reject invalid items individually', async () => {
    const [user = 0] = newUserIds(1);
    await testUser(test.api, { id: user });
    const known = await fixture.device('Old', { serial_no: 'SN-1' });
    const [a, b] = [await fixture.group('A', { device_ids: [known] }), await fixture.group('B')];
    const response = await tell([
      { serial_no: 'SN-1', name: 'New', group_ids: [b] },
      { serial_no: 'SN-2', name: 'Two', status: 0, group_ids: [a, b], user_id: user },
      { serial_no: 'SN-3' },
      { name: 'Nameless' },
      'SN-4',
      { serial_no: 'SN-5', name: 'Five', group_ids: [UNKNOWN_ID] },
      { serial_no: 'SN-2', name: 'Again' },
      { serial_no: 'SN-6', name: 'Six', user_id: UNKNOWN_ID },
      { serial_no: 'SN-7', name: 'Seven', status: 2 },
    ]);
    const two = (await bySerial('SN-2')).id;
    const item = (index: number, serial_no: string | null, id: number | null, result: string) => ({
      index,
      serial_no,
      id,
      result,
      message: null,
    });
    const failed = (index: number, serial_no: string | null, message: string, id: number | null = null) => ({
      ...item(index, serial_no, id, 'error'),
      message,
    });
    expect(response).toEqual({
      code: 0,
      message: '操作成功',
      data: {
        items: [
          item(0, 'SN-1', known, 'updated'),
          item(1, 'SN-2', two, 'created'),
          failed(2, 'SN-3', 'name 字段不能为空'),
          failed(3, null, 'serial_no 字段不能为空'),
          failed(4, null, 'devices 必须是对象'),
          failed(5, 'SN-5', `分组不存在: ${UNKNOWN_ID}`),
          failed(6, 'SN-2', 'serial_no 取值无效'),
          failed(7, 'SN-6', `用户不存在: ${UNKNOWN_ID}`),
          failed(8, 'SN-7', 'status 取值无效'),
        ],
        created: 1,
        updated: 1,
        unchanged: 0,
        failed: 7,
      },
    });
    expect(await deviceOf(fixture, { id: known })).toMatchObject({
      name: 'New',
      status: 1,
      groups: [{ id: b }],
    });
    expect(await deviceOf(fixture, { id: two })).toMatchObject({
      name: 'Two',
      status: 0,
      user_id: user,
      groups: [{ id: a }, { id: b }],
    });
    expect((await fixture.admin.get(`/api/admin/device-groups/${a}`)).body.data.device_count).toBe(1);
    expect((await bySerial('NEW'))?.id).toBe(known);
  });

  it('return unchanged the second time, without audit rows or events', async () => {
    const group = await fixture.group('G');
    const devices = [
      { serial_no: 'SN-1', name: 'One', status: 0, group_ids: [group] },
      { serial_no: 'SN-2', name: 'Two' },
    ];
    const before = (await auditRows(test)).length;
    const reader = await DomainEventReader.open(test, ['device.created', 'device.updated']);
    expect(await results(devices)).toEqual(['created', 'created']);
    expect(await bySerial('SN-2')).toMatchObject({ name: 'Two', status: 1, user_id: null });
    expect(await results(devices)).toEqual(['unchanged', 'unchanged']);
    expect(
      await results([
        { serial_no: 'SN-1', group_ids: [] },
        { serial_no: 'SN-2', name: 'Zwei' },
      ]),
    ).toEqual(['unchanged', 'updated']);
    const rows = (await auditRows(test)).slice(before);
    const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    expect(rows).toEqual([
      expect.objectContaining({
        action: 'device.import',
        object_id: null,
        before: null,
        after: { ...counts, created: 2 },
      }),
      expect.objectContaining({ action: 'device.import', after: { ...counts, updated: 1, unchanged: 1 } }),
    ]);
    const recorded = await reader.all();
    expect(recorded.map(({ type }) => type).toSorted()).toEqual([
      'device.created',
      'device.created',
      'device.updated',
    ]);
    const first = recorded.find(({ payload }) => (payload.device as { name: string }).name === 'One');
    expect(first?.payload).toMatchObject({ device: { serial_no: 'SN-1', groups: [{ id: group }] } });
  });

  it('take devices with another user offline', async () => {
    const door = await createTerminal(fixture, 'Door', { serial_no: 'SN-1' });
    await sendHeartbeat(door);
    expect(await results([{ serial_no: 'SN-1', user_id: door.userId, name: 'Gate' }])).toEqual(['updated']);
    expect(await onlineCount(test)).toBe(1);
    expect(await results([{ serial_no: 'SN-1', user_id: null }])).toEqual(['updated']);
    expect(await deviceOf(fixture, door)).toMatchObject({ online: false, user_id: null });
    expect(await onlineCount(test)).toBe(0);
    const other = { serial_no: 'SN-2', name: 'Other', user_id: door.userId };
    expect(await results([other, { serial_no: 'SN-1', user_id: door.userId }])).toEqual([
      'created',
      '用户已绑定其他设备',
    ]);
  });

  it.each([
    [{}, 'devices 字段不能为空'],
    [{ devices: [] }, 'devices 字段不能为空'],
    [{ devices: {} }, 'devices 必须是数组'],
    [{ devices: Array.from({ length: 501 }, () => ({})) }, 'devices 数量不能超过 500'],
  ])('are rejected when empty or too long: %#', async (body, message) => {
    expect((await fixture.admin.post(`${DEVICES}/bulk`, body)).body).toEqual({
      code: 422,
      message,
      data: null,
    });
  });

  it('create no duplicates when five hundred devices are sent twice concurrently, on two instances', async () => {
    const other = await createTestApp({ database: test.database });
    try {
      const there = await DeviceFixture.create(other);
      const groups = [await fixture.group('A'), await fixture.group('B')];
      const devicesNamed = (name: string) =>
        Array.from({ length: 500 }, (_, index) => ({
          serial_no: `SN-${index}`,
          name,
          group_ids: [groups[index % 2]],
        }));
      const responses = await Promise.all([
        tell(devicesNamed('X')),
        tell(devicesNamed('X').toReversed(), there),
        tell(devicesNamed('X'), there),
      ]);
      expect(responses.map(({ code }) => code)).toEqual([0, 0, 0]);
      const sum = (field: string): number => responses.reduce((total, { data }) => total + data[field], 0);
      expect([sum('created'), sum('updated'), sum('unchanged'), sum('failed')]).toEqual([500, 0, 1_000, 0]);
      expect((await fixture.admin.get(DEVICES)).body.data.pagination.total).toBe(500);
      expect((await fixture.admin.get(`/api/admin/device-groups/${groups[0]}`)).body.data.device_count).toBe(
        250,
      );
    } finally {
      await other.close();
    }
  });

  it('run concurrently with moves, heartbeats and deletions', async () => {
    const doors = [
      await createTerminal(fixture, 'A', { serial_no: 'SN-A' }),
      await createTerminal(fixture, 'B', { serial_no: 'SN-B' }),
    ];
    const [one, two] = [
      await fixture.group('1', { device_ids: doors.map(({ id }) => id) }),
      await fixture.group('2'),
    ];
    for (let round = 0; round < 10; round += 1) {
      const group_ids = [round % 2 === 0 ? two : one];
      const responses = await Promise.all([
        tell(doors.map((_, index) => ({ serial_no: `SN-${'AB'[index]}`, name: `${round}`, group_ids }))),
        fixture.admin
          .post(`/api/admin/device-groups/${two}/devices/move`, {
            device_ids: [doors[0]?.id],
            from_group_id: one,
          })
          .then(({ body }) => body),
        ...doors.map((door) => sendHeartbeat(door).then((code) => ({ code }))),
        tell([{ serial_no: `SN-C${round}`, name: 'C', group_ids: [one, two] }]),
      ]);
      expect(responses.filter(({ code }) => ![0, 422].includes(code))).toEqual([]);
      expect(await onlineCount(test)).toBe(2);
    }
  });
});
