import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { insertedId } from '../database/inserted-id';
import { Transactions } from '../database/transactions';
import { newDevice } from './devices.service';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { DeviceEntity } from './entities/device.entity';
import { ENABLED } from './limits';
import { addDevices } from './memberships';
import { beginTreeChange, insertGroup } from './tree-changes';

interface EstateGroup {
  name: string;
  description?: string;
  /** Devices directly in the group: name and serial number. */
  devices?: [name: string, serial_no: string][];
  groups?: EstateGroup[];
}

/** A residential estate with its intercoms, as small as it can be and still show every feature of the tree. */
const ESTATE: EstateGroup[] = [
  {
    name: '阳光花园',
    description: '住宅小区,三栋楼',
    devices: [['物业中心管理机', 'YG-CENTER-01']],
    groups: [
      {
        name: '1 号楼',
        groups: [
          {
            name: '1 单元',
            devices: [
              ['1 号楼 1 单元门口机', 'YG-0101-D1'],
              ['101 室内机', 'YG-0101-101'],
              ['102 室内机', 'YG-0101-102'],
            ],
          },
          {
            name: '2 单元',
            devices: [
              ['1 号楼 2 单元门口机', 'YG-0102-D1'],
              ['201 室内机', 'YG-0102-201'],
            ],
          },
        ],
      },
      {
        name: '2 号楼',
        groups: [{ name: '1 单元', devices: [['2 号楼 1 单元门口机', 'YG-0201-D1']] }],
      },
      {
        name: '出入口',
        description: '大门与车库',
        devices: [
          ['东门门口机', 'YG-GATE-E'],
          ['地下车库门口机', 'YG-GATE-P1'],
        ],
      },
    ],
  },
  {
    name: '科技园写字楼',
    description: '办公楼',
    groups: [
      { name: '前台', devices: [['一层前台话机', 'KJ-F01-01']] },
      {
        name: '会议室',
        devices: [
          ['会议室 A 终端', 'KJ-MEET-A'],
          ['会议室 B 终端', 'KJ-MEET-B'],
        ],
      },
      { name: '仓库', description: '暂无设备' },
    ],
  },
];

/** In no group yet. */
const SPARE_DEVICES: [name: string, serial_no: string][] = [['备用室内机', 'SPARE-001']];

/** Plants the demonstration's groups and devices. */
@Injectable()
export class DemoEstate {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Plants the estate in one transaction, unless there is a group or a device already. Answers whether it did. */
  plant(): Promise<boolean> {
    return this.transactions.run(async (em) => {
      // Instances that start together take turns here, and only the first finds nothing.
      await beginTreeChange(em);
      if ((await em.exists(DeviceGroupEntity)) || (await em.exists(DeviceEntity))) return false;
      await this.#plantGroups(em, ESTATE, null);
      await this.#plantDevices(em, SPARE_DEVICES);
      return true;
    });
  }

  async #plantGroups(em: EntityManager, groups: EstateGroup[], parent_id: number | null): Promise<void> {
    for (const [index, { name, description, devices = [], groups: below = [] }] of groups.entries()) {
      const id = await insertGroup(em, { name, description, parent_id, sort_order: index + 1 });
      await addDevices(em, id, await this.#plantDevices(em, devices));
      await this.#plantGroups(em, below, id);
    }
  }

  async #plantDevices(em: EntityManager, devices: [name: string, serial_no: string][]): Promise<number[]> {
    const ids: number[] = [];
    for (const [name, serial_no] of devices) {
      const device = newDevice({ name, serial_no, status: ENABLED }, this.clock.now());
      ids.push(insertedId(await em.insert(DeviceEntity, device)));
    }
    return ids;
  }
}
