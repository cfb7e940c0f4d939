import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { BusinessError } from '../../common/errors/business-error';
import type { ItemsPage } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import { groupDevicesPage, lockedDevices } from '../store/devices.store';
import type { ListGroupDevicesQuery } from '../dto/device-group-requests.dto';
import type { DeviceResponse } from '../dto/device.dto';
import {
  addDevices,
  lockGroups,
  putInto,
  bumpMembershipVersion,
  removeDevices,
  requireAll,
} from '../store/memberships.store';
import { groupById } from '../store/tree-changes.store';

/**
 * Devices of a group (API 11.6). Every method throws DEVICE_GROUP_NOT_FOUND for an unknown group.
 */
@Injectable()
export class GroupDevicesService {
  constructor(private readonly transactions: Transactions) {}

  /** Returns one page by device id; with `recursive` 1 including the groups below, with each device once. */
  async list(groupId: number, query: ListGroupDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    const em = this.transactions.read();
    await groupById(em, groupId);
    return groupDevicesPage(em, { groupId, recursive: query.recursive === 1 }, query);
  }

  /**
   * Adds devices to the group; those already in it are skipped.
   * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`; nothing is written then
   */
  async add(groupId: number, deviceIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      const device_ids = await addDevices(em, groupId, deviceIds);
      if (device_ids.length === 0) return;
      await bumpMembershipVersion(em);
      recordAudit(em, { object_id: groupId, before: null, after: { device_ids } });
    });
  }

  /** Removes devices from the group; those that are not in it or unknown are ignored. */
  async remove(groupId: number, deviceIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      const device_ids = await removeDevices(em, groupId, deviceIds);
      if (device_ids.length > 0) {
        await bumpMembershipVersion(em);
        recordAudit(em, { object_id: groupId, before: { device_ids }, after: null });
      }
      // Checked only now: a group that contained some of the devices exists.
      else await groupById(em, groupId);
    });
  }

  /**
   * Moves devices from one group to another, all or none; a device that is in both stays in the second. Concurrent
   * moves in opposite directions wait for each other at the locks of the groups.
   * @returns number of devices moved
   * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND for either group; VALIDATION `设备不存在: 7, 9`: not in `from`
   */
  move(deviceIds: number[], { from, to }: { from: number; to: number }): Promise<number> {
    return this.transactions.run(async (em) => {
      const groups = await lockGroups(em, [from, to]);
      if (!groups.has(from) || !groups.has(to)) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
      // Devices are locked before their memberships, in the order in which the deletion of a device locks them.
      await lockedDevices(em, deviceIds);
      requireAll(deviceIds, new Set(await removeDevices(em, from, deviceIds)));
      await putInto(em, to, deviceIds);
      if (from === to) return 0;
      await bumpMembershipVersion(em);
      const affected = deviceIds.length;
      const note = { affected, device_ids: deviceIds, from_group_id: from, group_id: to };
      recordAudit(em, { object_id: null, before: null, after: note });
      return affected;
    });
  }
}
