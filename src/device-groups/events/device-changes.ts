import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { UsersService } from '../../identity/users.service';
import { DomainEvents } from '../../outbox/domain-events';
import { deviceBoundTo, devicesByIds } from '../store/devices.store';
import { countOnline, takeOffline } from '../presence/device-states.store';
import type { DeviceDomainEventType } from './device-domain-events';

/** Shared steps of device changes, in their transaction: domain events, the check of the user, the number online. */
@Injectable()
export class DeviceChanges {
  constructor(
    private readonly domainEvents: DomainEvents,
    private readonly users: UsersService,
  ) {}

  /** Records a domain event per device with its current state and groups. Changes of groups alone cause no event. */
  async record(em: EntityManager, type: DeviceDomainEventType, ids: readonly number[]): Promise<void> {
    if (ids.length === 0 || !this.domainEvents.hasSubscribers(type)) return;
    for (const device of await devicesByIds(em, [...ids]))
      this.domainEvents.record(em, type, `device:${device.id}`, () => ({ device }));
  }

  /**
   * Checks that a device may sign in as a user.
   * @param exceptId id of the device, if it exists already
   * @throws {BusinessError} VALIDATION `用户不存在: 7`; USER_HAS_DEVICE: another device signs in as the user
   */
  async requireFreeUser(em: EntityManager, userId: number, exceptId = 0): Promise<void> {
    const users = await this.users.findByIds([userId], em);
    if (!users.has(userId))
      throw new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownUsers([userId]) });
    const holder = await deviceBoundTo(em, userId);
    if (holder !== undefined && holder !== exceptId) throw new BusinessError('USER_HAS_DEVICE');
  }

  /** Records that offline devices have come online, and counts them; their rows are updated by the caller. */
  async cameOnline(em: EntityManager, ids: readonly number[]): Promise<void> {
    await this.record(em, 'device.online', ids);
    await countOnline(em, ids.length);
  }

  /** Takes online devices offline, whose rows are locked. */
  async goOffline(em: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const count = await takeOffline(em, ids);
    await this.record(em, 'device.offline', ids);
    await countOnline(em, -count);
  }
}
