import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { DeviceEntity } from '../entities/device.entity';
import { DeviceChanges } from '../events/device-changes';
import {
  deviceIdsOf,
  type LockedState,
  lockStates,
  noteSeen,
  storeDeviceReports,
} from './device-states.store';

/** Heartbeat of a user, with the values that its device reported. */
export interface Heartbeat {
  userId: number;
  version?: string;
  battery?: number;
}

/** Writes heartbeats in batches, each with one query for the devices and one short transaction. */
@Injectable()
export class HeartbeatWriter {
  readonly #offlineSeconds: number;

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly changes: DeviceChanges,
  ) {
    this.#offlineSeconds = devices.offlineSeconds;
  }

  /**
   * Sets devices online and stores the values that they reported.
   * @param heartbeats one per user, by user id
   * @returns the ids of the users that have a device
   */
  async write(heartbeats: ReadonlyMap<number, Heartbeat>): Promise<Set<number>> {
    if (heartbeats.size === 0) return new Set();
    const ids = await deviceIdsOf(this.transactions.read(), [...heartbeats.keys()]);
    if (ids.length === 0) return new Set();
    return this.transactions.run((em) => this.#write(em, ids, heartbeats));
  }

  async #write(
    em: EntityManager,
    ids: readonly number[],
    heartbeats: ReadonlyMap<number, Heartbeat>,
  ): Promise<Set<number>> {
    // The user of a device may have changed since the query for the ids.
    const devices = await lockStates(em, ids);
    const seen = devices.flatMap((device) => {
      const heartbeat = device.user_id === null ? undefined : heartbeats.get(device.user_id);
      return heartbeat === undefined ? [] : [{ device, heartbeat }];
    });
    if (seen.length === 0) return new Set();
    const now = this.clock.now();
    await noteSeen(
      em,
      seen.map(({ device }) => device.id),
      { now, offlineAt: plusSeconds(now, this.#offlineSeconds) },
    );
    const changed = seen.flatMap(({ device, heartbeat }) => changedFields(device, heartbeat));
    if (changed.length > 0) await storeDeviceReports(em, changed);
    const onlineIds = seen.filter(({ device }) => !device.online).map(({ device }) => device.id);
    if (onlineIds.length > 0) await this.changes.cameOnline(em, onlineIds);
    return new Set(seen.map(({ heartbeat }) => heartbeat.userId));
  }
}

/**
 * Returns the version and the battery to store for a device, or nothing if they have not changed. Values left out are
 * kept.
 */
function changedFields(
  { id, ...stored }: LockedState,
  { version = stored.version ?? undefined, battery = stored.battery ?? undefined }: Heartbeat,
): Pick<DeviceEntity, 'id' | 'version' | 'battery'>[] {
  const fields = { id, version: version ?? null, battery: battery ?? null };
  return fields.version === stored.version && fields.battery === stored.battery ? [] : [fields];
}
