import { Injectable } from '@nestjs/common';
import { BusinessError } from '../common/errors/business-error';
import { DeviceGroupsService } from '../device-groups/services/device-groups.service';
import { DevicesService } from '../device-groups/services/devices.service';
import { DeviceHeartbeatsService } from '../device-groups/presence/device-heartbeats.service';
import type { DemoUsers } from './demo-people';

interface DemoGroup {
  name: string;
  description?: string;
  /** Devices directly in the group: name and serial number. */
  devices?: [name: string, serial_no: string][];
  groups?: DemoGroup[];
}

/** A residential estate with intercoms, as small as possible while it shows every feature of the tree. */
const DEMO_GROUPS: DemoGroup[] = [
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
  {
    name: 'Harbour Court',
    description: 'A house with 28 floors',
    groups: [
      {
        name: 'Entrances',
        devices: [
          ['East gate', 'HC-GATE-E'],
          ['Car park', 'HC-GATE-P1'],
        ],
      },
      {
        name: 'Third floor',
        devices: [
          ['Flat 11', 'HC-03-11'],
          ['Flat 12', 'HC-03-12'],
        ],
      },
    ],
  },
];

/**
 * A device in no group. It is created first: its unique serial number lets only one of several starting instances
 * continue.
 */
const SPARE_DEVICE = { name: '备用室内机', serial_no: 'SPARE-001' };

/** The user of each device, by serial number. */
const USERS: [person: keyof DemoUsers, serial_no: string][] = [
  ['alice', 'YG-0101-101'],
  ['bob', 'YG-0101-102'],
  ['door', 'YG-GATE-E'],
  ['emma', 'HC-03-11'],
  ['sofia', 'HC-03-12'],
];
const HEARTBEAT = { version: '2.4.1', battery: 87 };

const ENABLED = 1;
const FIRST_ITEM = { page: 1, per_page: 1 };

/** The groups and devices of the demo data, created with the services that administrators use. */
@Injectable()
export class DemoDevices {
  constructor(
    private readonly groups: DeviceGroupsService,
    private readonly devices: DevicesService,
    private readonly heartbeats: DeviceHeartbeatsService,
  ) {}

  /** Creates the groups and devices unless one exists already. Returns whether it did. */
  async seed(): Promise<boolean> {
    const [groups, devices] = await Promise.all([
      this.groups.list(FIRST_ITEM),
      this.devices.list(FIRST_ITEM),
    ]);
    if (groups.totalCount + devices.totalCount > 0) return false;
    if (!(await this.#claimSeeding())) return false;
    await this.#createGroups(DEMO_GROUPS, null);
    return true;
  }

  /** Assigns users to the devices that `seed` has created. */
  async connect(users: DemoUsers): Promise<void> {
    for (const [person, serial_no] of USERS) {
      const [device] = (await this.devices.list({ ...FIRST_ITEM, keyword: serial_no })).items;
      if (device !== undefined) await this.devices.change(device.id, { user_id: users[person] });
    }
  }

  /** Records a heartbeat of the door station, so that it is online. */
  recordHeartbeats(users: DemoUsers): Promise<void> {
    return this.heartbeats.recordHeartbeat(users.door, HEARTBEAT);
  }

  /** Creates the spare device. Returns false if another instance has created it. */
  async #claimSeeding(): Promise<boolean> {
    try {
      await this.devices.create({ ...SPARE_DEVICE, status: ENABLED });
      return true;
    } catch (error) {
      if (error instanceof BusinessError && error.key === 'SERIAL_NO_TAKEN') return false;
      throw error;
    }
  }

  async #createGroups(groups: DemoGroup[], parent_id: number | null): Promise<void> {
    for (const [
      index,
      { name, description = '', devices = [], groups: subgroups = [] },
    ] of groups.entries()) {
      const device_ids: number[] = [];
      for (const [deviceName, serial_no] of devices)
        device_ids.push((await this.devices.create({ name: deviceName, serial_no, status: ENABLED })).id);
      const group = { name, description, parent_id, sort_order: index + 1, device_ids };
      const { id } = await this.groups.create(group);
      await this.#createGroups(subgroups, id);
    }
  }
}
