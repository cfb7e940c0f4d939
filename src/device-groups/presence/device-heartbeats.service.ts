import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { BusinessError } from '../../common/errors/business-error';
import { Metrics } from '../../common/metrics';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { HeartbeatRequest } from '../dto/heartbeat.dto';
import type { DeviceEntity } from '../entities/device.entity';
import { DeviceChanges } from '../events/device-changes';
import {
  deviceIdsOf,
  type LockedState,
  lockStates,
  noteSeen,
  storeDeviceReports,
} from './device-states.store';

const MAX_BATCH_SIZE = 500;
/** Pause after a batch, in which the next one is collected. Devices can wait that long for their response. */
const LINGER_MS = 200;
const MAX_WAIT_MS = 5_000;

/** Heartbeat of a user, with the values that its device reported. */
interface Heartbeat extends HeartbeatRequest {
  userId: number;
}

/**
 * Accepts heartbeats from requests and from open event streams; requests within 200 ms are written in one batch. Each
 * batch takes one query for the devices and one short transaction.
 */
@Injectable()
export class DeviceHeartbeatsService {
  readonly #writtenTotal: Counter<'by'>;
  readonly #queue = new BatchQueue<Heartbeat, undefined>({
    concurrency: 1,
    maxBatchSize: MAX_BATCH_SIZE,
    lingerMs: LINGER_MS,
    maxWaitMs: MAX_WAIT_MS,
    work: (heartbeats) => this.#writeBatch(heartbeats),
  });
  readonly #offlineSeconds: number;

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly changes: DeviceChanges,
    metrics: Metrics,
  ) {
    this.#offlineSeconds = devices.offlineSeconds;
    this.#writtenTotal = metrics.counter(
      'callboard_device_beats_total',
      'Heartbeats of devices that this instance has written, by source',
      ['by'],
    );
  }

  /**
   * Records a heartbeat of a user's device. Resolves once it is written.
   * @throws {BusinessError} DEVICE_NOT_FOUND: the user has no device; UNAVAILABLE: too many are queued, or this one was
   *   queued for more than 5 s
   */
  async recordHeartbeat(userId: number, { version, battery }: HeartbeatRequest): Promise<void> {
    await this.#queue.run({ userId, version, battery });
    this.#writtenTotal.inc({ by: 'heartbeat' });
  }

  /** Records heartbeats of users with an open event stream; users without a device are ignored. */
  async listen(userIds: readonly number[]): Promise<void> {
    const written = await this.#write(new Map(userIds.map((userId) => [userId, { userId }])));
    this.#writtenTotal.inc({ by: 'stream' }, written.size);
  }

  async #writeBatch(heartbeats: Heartbeat[]): Promise<(undefined | BusinessError)[]> {
    const written = await this.#write(mergeByUser(heartbeats));
    return heartbeats.map(({ userId }) =>
      written.has(userId) ? undefined : new BusinessError('DEVICE_NOT_FOUND'),
    );
  }

  /**
   * Sets devices online and stores the values that they reported.
   * @param heartbeats one per user, by user id
   * @returns the ids of the users that have a device
   */
  async #write(heartbeats: ReadonlyMap<number, Heartbeat>): Promise<Set<number>> {
    if (heartbeats.size === 0) return new Set();
    const ids = await deviceIdsOf(this.transactions.read(), [...heartbeats.keys()]);
    if (ids.length === 0) return new Set();
    return this.transactions.run((em) => this.#update(em, ids, heartbeats));
  }

  async #update(
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

/** Merges the heartbeats of each user; the last reported values win. */
function mergeByUser(heartbeats: readonly Heartbeat[]): Map<number, Heartbeat> {
  const byUser = new Map<number, Heartbeat>();
  for (const { userId, version, battery } of heartbeats) {
    const earlier = byUser.get(userId);
    byUser.set(userId, {
      userId,
      version: version ?? earlier?.version,
      battery: battery ?? earlier?.battery,
    });
  }
  return byUser;
}

/**
 * Returns the version and the battery to store for a device, or nothing if they have not changed. Values left out are
 * kept.
 */
function changedFields(
  { id, ...stored }: LockedState,
  { version, battery }: Heartbeat,
): Pick<DeviceEntity, 'id' | 'version' | 'battery'>[] {
  const fields = { id, version: version ?? stored.version, battery: battery ?? stored.battery };
  return fields.version === stored.version && fields.battery === stored.battery ? [] : [fields];
}
