import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { noteAudit } from '../audit/trail/note-audit';
import { BusinessError } from '../common/errors/business-error';
import type { ItemsPage } from '../common/http/page';
import { Transactions } from '../database/transactions';
import { groupDevicesPage } from './devices.queries';
import type { ListGroupDevicesQuery } from './dto/device-group-requests.dto';
import type { DeviceResponse } from './dto/device.dto';
import { DeviceGroupEntity } from './entities/device-group.entity';
import {
  addDevices,
  holdDevices,
  holdGroups,
  putInto,
  raiseMemberships,
  removeDevices,
  requireAll,
} from './memberships.queries';

/** The devices of a group (specification 4.9, contract 4). Every call is DEVICE_GROUP_NOT_FOUND for an unknown one. */
@Injectable()
export class GroupDevicesService {
  constructor(
    @InjectRepository(DeviceGroupEntity) private readonly groups: Repository<DeviceGroupEntity>,
    private readonly transactions: Transactions,
  ) {}

  /** One page by id: of the group itself, or with `recursive` 1 of everything below it too, each device once. */
  async list(groupId: number, query: ListGroupDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    if (!(await this.groups.existsBy({ id: groupId }))) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
    return groupDevicesPage(this.groups.manager, { groupId, recursive: query.recursive === 1 }, query);
  }

  /**
   * Puts devices into the group; those already in it are left.
   * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`, and then nothing is written
   */
  async add(groupId: number, deviceIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      const device_ids = await addDevices(em, groupId, deviceIds);
      if (device_ids.length === 0) return;
      await raiseMemberships(em);
      noteAudit(em, { object_id: groupId, before: null, after: { device_ids } });
    });
  }

  /** Takes devices out of the group; those not in it, or unknown, are ignored. */
  async remove(groupId: number, deviceIds: number[]): Promise<void> {
    await this.transactions.run(async (em) => {
      const device_ids = await removeDevices(em, groupId, deviceIds);
      if (device_ids.length > 0) {
        await raiseMemberships(em);
        noteAudit(em, { object_id: groupId, before: { device_ids }, after: null });
      }
      // Asked only now: a group that had some of them is there.
      else if (!(await em.existsBy(DeviceGroupEntity, { id: groupId })))
        throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
    });
  }

  /**
   * Moves devices from a group into another, all or none; one that is in both is left in the second. Moves that cross wait
   * for each other at the groups.
   * @returns how many have moved
   * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND for either group; VALIDATION `设备不存在: 7, 9`: not in the first one
   */
  move(deviceIds: number[], { from, to }: { from: number; to: number }): Promise<number> {
    return this.transactions.run(async (em) => {
      const groups = await holdGroups(em, [from, to]);
      if (!groups.has(from) || !groups.has(to)) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
      // The devices before their memberships: whoever deletes one holds it first.
      await holdDevices(em, deviceIds);
      requireAll(deviceIds, new Set(await removeDevices(em, from, deviceIds)));
      await putInto(em, to, deviceIds);
      if (from === to) return 0;
      await raiseMemberships(em);
      const affected = deviceIds.length;
      const note = { affected, device_ids: deviceIds, from_group_id: from, group_id: to };
      noteAudit(em, { object_id: null, before: null, after: note });
      return affected;
    });
  }
}
