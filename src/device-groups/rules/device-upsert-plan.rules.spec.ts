import type { InputRow } from '../../common/bulk/upsert-planner';
import {
  type CurrentDevices,
  type DeviceInput,
  type ExistingDevice,
  planDeviceUpserts,
} from './device-upsert-plan.rules';

const device = (id: number, more: Partial<ExistingDevice> = {}): ExistingDevice => ({
  id,
  name: `D${id}`,
  status: 1,
  user_id: null,
  online: false,
  groupIds: new Set(),
  ...more,
});
const row = (serial_no: string, more: Partial<DeviceInput> = {}): InputRow<DeviceInput> => ({
  key: serial_no,
  input: { serial_no, ...more },
});
const currentState = (more: Partial<CurrentDevices> = {}): CurrentDevices => ({
  devices: new Map([['A', device(1, { groupIds: new Set([3, 4]), user_id: 7 })]]),
  groups: new Set([3, 4, 5]),
  users: new Set([7, 8]),
  holders: new Map([[7, 1]]),
  ...more,
});
/** Returns the result for each row, or its error message. */
const plan = (rows: InputRow<DeviceInput>[], seen = new Set<string>()): string[] =>
  planDeviceUpserts(rows, currentState(), seen).map((step) =>
    step.result === 'error' ? step.error.message : step.result,
  );

describe('planDeviceUpserts', () => {
  it('creates unknown devices and requires their name', () => {
    expect(plan([row('B', { name: 'New' }), row('C')])).toEqual(['created', 'name 字段不能为空']);
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
  ])('plans %j for an existing device as %s', (more, result) => {
    expect(plan([row('A', more)])).toEqual([result]);
  });

  it('binds a user to one device only, also when an earlier row unbinds the user', () => {
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

  it('rejects a repeated serial number, also in another part of the input', () => {
    const seen = new Set<string>();
    expect(plan([row('A'), row('A')], seen)).toEqual(['unchanged', 'serial_no 取值无效']);
    expect(plan([row('A'), row('a', { name: 'a' })], seen)).toEqual(['serial_no 取值无效', 'created']);
  });
});
