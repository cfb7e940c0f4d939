import type { EntityManager } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import { lockingRows } from '../database/dialect';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { DeviceMembershipEntity } from './entities/device-membership.entity';
import { DeviceEntity } from './entities/device.entity';

/*
 * Which device is in which group, within a transaction. Locks are taken in one order, tree, group, devices, so that a
 * group or a device does not vanish while a device is put into it, and nobody waits in a circle.
 */

/**
 * Holds a group, so that until the commit it is not deleted and no device comes or goes.
 * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND
 */
export async function holdGroup(em: EntityManager, id: number): Promise<void> {
  const query = em
    .createQueryBuilder(DeviceGroupEntity, 'g')
    .select('g.id', 'id')
    .where('g.id = :id', { id });
  if ((await lockingRows(query).getRawOne()) === undefined) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
}

/**
 * Puts devices into a group that is held (or new); those already in it are left.
 * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`, and then nothing has been written (contract 4)
 */
export async function addDevices(em: EntityManager, groupId: number, deviceIds: number[]): Promise<void> {
  if (deviceIds.length === 0) return;
  const query = em
    .createQueryBuilder(DeviceEntity, 'd')
    .select('d.id', 'id')
    .where('d.id IN (:...deviceIds)', { deviceIds });
  const rows = await lockingRows(query).getRawMany<{ id: number }>();
  const known = new Set(rows.map(({ id }) => id));
  const unknown = deviceIds.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new BusinessError('VALIDATION', { message: (words) => words.unknownDevices(unknown) });
  }
  await em
    .createQueryBuilder()
    .insert()
    .into(DeviceMembershipEntity)
    .values(deviceIds.map((device_id) => ({ group_id: groupId, device_id })))
    .orIgnore()
    .updateEntity(false)
    .execute();
}
