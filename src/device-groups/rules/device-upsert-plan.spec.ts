import {
  type KnownDevice,
  type DeviceInputRow,
  planDeviceUpserts,
  type CurrentDevices,
  type DeviceInput,
} from './device-upsert-plan';

const device = (id: number, more: Partial<KnownDevice> = {}): KnownDevice => ({
  id,
  name: `D${id}`,
  status: 1,
  user_id: null,
  groupIds: new Set(),
  ...more,
});
const row = (serial_no: string, more: Partial<DeviceInput> = {}): DeviceInputRow => ({
  serialNo: serial_no,
  told: { serial_no, ...more },
});
const currentState = (more: Partial<CurrentDevices<KnownDevice>> = {}): CurrentDevices<KnownDevice> => ({
  devices: new Map([['A', device(1, { groupIds: new Set([3, 4]), user_id: 7 })]]),
  groups: new Set([3, 4, 5]),
  users: new Set([7, 8]),
  holders: new Map([[7, 1]]),
  ...more,
});
/** Returns the result for each line, or its error message. */
const plan = (lines: DeviceInputRow[], seen = new Set<string>()): string[] =>
  planDeviceUpserts(lines, currentState(), seen).map((step) =>
    step.result === 'error' ? step.refusal.message : step.result,
  );

describe('What becomes of devices that are told of', () => {
  it('is made where it is new, and then wants a name', () => {
    expect(plan([row('B', { name: 'New' }), row('C')])).toEqual(['created', 'name 字段不能为空']);
    const [step] = planDeviceUpserts([row('B', { name: 'New', group_ids: [5] })], currentState(), new Set());
    expect(step).toMatchObject({ told: { name: 'New', status: 1, group_ids: [5] } });
  });

  it.each<[Partial<DeviceInput>, string]>([
    [{}, 'unchanged'],
    [{ name: 'D1', status: 1, user_id: 7, group_ids: [4, 3] }, 'unchanged'],
    [{ group_ids: [] }, 'unchanged'],
    [{ name: 'Other' }, 'updated'],
    [{ status: 0 }, 'updated'],
    [{ user_id: null }, 'updated'],
    [{ user_id: 8 }, 'updated'],
    [{ group_ids: [3] }, 'updated'],
    [{ group_ids: [3, 4, 5] }, 'updated'],
    [{ joined_group_id: 3 }, 'unchanged'],
    [{ joined_group_id: 5 }, 'updated'],
    [{ group_ids: [3], joined_group_id: 4 }, 'unchanged'],
    [{ group_ids: [3, 9, 10] }, '分组不存在: 9, 10'],
    [{ group_ids: [3], joined_group_id: 9 }, '分组不存在: 9'],
    [{ user_id: 9 }, '用户不存在: 9'],
  ])('is what differs: %j is %s', (more, result) => {
    expect(plan([row('A', more)])).toEqual([result]);
  });

  it('has a user whom no other has, also where that one gives it up here', () => {
    expect(plan([row('B', { name: 'B', user_id: 7 })])).toEqual(['用户已绑定其他设备']);
    expect(plan([row('A', { user_id: null }), row('B', { name: 'B', user_id: 7 })])).toEqual([
      'updated',
      '用户已绑定其他设备',
    ]);
    expect(
      plan([
        row('B', { name: 'B', user_id: 8 }),
        row('C', { name: 'C', user_id: 8 }),
        row('A', { user_id: 8 }),
      ]),
    ).toEqual(['created', '用户已绑定其他设备', '用户已绑定其他设备']);
  });

  it('is told once: the second fails, also when the first did, and in another part of the whole', () => {
    const seen = new Set<string>();
    expect(plan([row('B'), row('B', { name: 'B' }), row('A')], seen)).toEqual([
      'name 字段不能为空',
      'serial_no 取值无效',
      'unchanged',
    ]);
    expect(plan([row('A', { name: 'X' }), row('b', { name: 'b' })], seen)).toEqual([
      'serial_no 取值无效',
      'created',
    ]);
  });
});
