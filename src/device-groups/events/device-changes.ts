import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { UsersService } from '../../identity/users.service';
import { Acts } from '../../outbox/acts';
import { deviceBoundTo, devicesByIds } from '../devices.queries';
import { countOnline, takeOffline } from '../terminals/device-states.queries';
import type { DeviceActType } from './device-acts';

/** What goes with changes of devices, in the transaction that makes them: acts, users, and how many are online. */
@Injectable()
export class DeviceChanges {
  constructor(
    private readonly acts: Acts,
    private readonly users: UsersService,
  ) {}

  /** An act for each device, as it is at that moment; its groups are told, but make none. */
  async record(em: EntityManager, type: DeviceActType, ids: readonly number[]): Promise<void> {
    if (ids.length === 0 || !this.acts.isWanted(type)) return;
    for (const device of await devicesByIds(em, [...ids]))
      this.acts.record(em, type, `device:${device.id}`, () => ({ device }));
  }

  /**
   * A user whom a device shall sign in as.
   * @param exceptId the device, where there is one already
   * @throws {BusinessError} VALIDATION `用户不存在: 7`; USER_HAS_DEVICE: another one
   */
  async requireFreeUser(em: EntityManager, userId: number, exceptId = 0): Promise<void> {
    const known = await this.users.findByIds([userId], em);
    if (!known.has(userId))
      throw new BusinessError('VALIDATION', { message: (words) => words.unknownUsers([userId]) });
    const holder = await deviceBoundTo(em, userId);
    if (holder !== undefined && holder !== exceptId) throw new BusinessError('USER_HAS_DEVICE');
  }

  /** Devices, which were offline, are there. */
  async cameOnline(em: EntityManager, ids: readonly number[]): Promise<void> {
    await this.record(em, 'device.online', ids);
    await countOnline(em, ids.length);
  }

  /** Devices that are online, and held, go offline. */
  async goOffline(em: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const gone = await takeOffline(em, ids);
    await this.record(em, 'device.offline', ids);
    await countOnline(em, -gone);
  }

  /** Devices have been deleted; so many of them were online. */
  async forgetOnline(em: EntityManager, devices: readonly { online: boolean }[]): Promise<void> {
    await countOnline(em, -devices.filter(({ online }) => online).length);
  }
}
