import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { BusinessError } from '../../common/errors/business-error';
import { Metrics } from '../../common/metrics';
import type { HeartbeatRequest } from '../dto/heartbeat.dto';
import { type Beat, DeviceBeats } from './device-beats';

const MOST_AT_ONCE = 500;
/** So long those who come meanwhile are gathered: nobody is in a hurry to be told that it was heard. */
const REST_MS = 200;
const PATIENCE_MS = 5_000;

/** Hears of devices, and of the streams that they have open; those of a fifth of a second are written together. */
@Injectable()
export class DeviceHeartbeatsService {
  readonly #counted: Counter<'by'>;
  readonly #queue = new BatchQueue<Beat, undefined>({
    atOnce: 1,
    most: MOST_AT_ONCE,
    restMs: REST_MS,
    patienceMs: PATIENCE_MS,
    keysOf: () => [],
    weightOf: () => 0,
    work: (beats) => this.#write(beats),
  });

  constructor(
    private readonly beats: DeviceBeats,
    metrics: Metrics,
  ) {
    this.#counted = metrics.counter(
      'callboard_device_beats_total',
      'Signs of life of devices that this instance has written, by how they came',
      ['by'],
    );
  }

  /**
   * The device of a user is there; written when this resolves.
   * @throws {BusinessError} DEVICE_NOT_FOUND: the user has none
   */
  async beat(userId: number, { version, battery }: HeartbeatRequest): Promise<void> {
    await this.#queue.run({ userId, version, battery });
    this.#counted.inc({ by: 'heartbeat' });
  }

  /** Users, whether they have devices or not, have event streams open. */
  async listen(userIds: readonly number[]): Promise<void> {
    const heard = await this.beats.write(new Map(userIds.map((userId) => [userId, { userId }])));
    this.#counted.inc({ by: 'stream' }, heard.size);
  }

  async #write(beats: Beat[]): Promise<(undefined | BusinessError)[]> {
    const heard = await this.beats.write(newest(beats));
    return beats.map(({ userId }) => (heard.has(userId) ? undefined : new BusinessError('DEVICE_NOT_FOUND')));
  }
}

/** Of each user what it told last. */
function newest(beats: readonly Beat[]): Map<number, Beat> {
  const byUser = new Map<number, Beat>();
  for (const { userId, version, battery } of beats) {
    const before = byUser.get(userId);
    byUser.set(userId, {
      userId,
      version: version ?? before?.version,
      battery: battery ?? before?.battery,
    });
  }
  return byUser;
}
