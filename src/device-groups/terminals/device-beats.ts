import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { updateEach } from '../../database/rows';
import { Transactions } from '../../database/transactions';
import { DeviceEntity } from '../entities/device.entity';
import { DeviceChanges } from '../events/device-changes';
import { deviceIdsOf, type HeldState, holdStates, noteSeen } from './device-states.queries';

/** A user was heard of, and what it told of its device. */
export interface Beat {
  userId: number;
  version?: string;
  battery?: number;
}

/** Writes that the users of devices were heard of: all of some time with one look-up and one short transaction. */
@Injectable()
export class DeviceBeats {
  readonly #offlineSeconds: number;

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly changes: DeviceChanges,
  ) {
    this.#offlineSeconds = devices.offlineSeconds;
  }

  /**
   * Devices that were offline come online, and what they told is kept.
   * @param beats of each user one
   * @returns those of the users who have a device
   */
  async write(beats: ReadonlyMap<number, Beat>): Promise<Set<number>> {
    if (beats.size === 0) return new Set();
    const ids = await deviceIdsOf(this.dataSource.manager, [...beats.keys()]);
    if (ids.length === 0) return new Set();
    return this.transactions.run((em) => this.#write(em, ids, beats));
  }

  async #write(
    em: EntityManager,
    ids: readonly number[],
    beats: ReadonlyMap<number, Beat>,
  ): Promise<Set<number>> {
    // Some may have been given to others since they were looked up.
    const held = await holdStates(em, ids);
    const heard = held.flatMap((device) => {
      const beat = device.user_id === null ? undefined : beats.get(device.user_id);
      return beat === undefined ? [] : [{ device, beat }];
    });
    if (heard.length === 0) return new Set();
    const now = this.clock.now();
    await noteSeen(
      em,
      heard.map(({ device }) => device.id),
      { now, offlineAt: plusSeconds(now, this.#offlineSeconds) },
    );
    const told = heard.flatMap(({ device, beat }) => toldAnew(device, beat));
    if (told.length > 0) await updateEach(em, DeviceEntity, 'id', told);
    const back = heard.filter(({ device }) => !device.online).map(({ device }) => device.id);
    if (back.length > 0) await this.changes.cameOnline(em, back);
    return new Set(heard.map(({ beat }) => beat.userId));
  }
}

/** What a device is to say of itself from now on, unless that is what it says. */
function toldAnew(
  { id, ...known }: HeldState,
  { version = known.version ?? undefined, battery = known.battery ?? undefined }: Beat,
): Pick<DeviceEntity, 'id' | 'version' | 'battery'>[] {
  const told = { id, version: version ?? null, battery: battery ?? null };
  return told.version === known.version && told.battery === known.battery ? [] : [told];
}
