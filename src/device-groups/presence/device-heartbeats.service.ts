import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { BusinessError } from '../../common/errors/business-error';
import { Metrics } from '../../common/metrics';
import type { HeartbeatRequest } from '../dto/heartbeat.dto';
import { type Heartbeat, HeartbeatWriter } from './heartbeat-writer';

const MAX_BATCH_SIZE = 500;
/** Pause after a batch, in which the next one is collected. Devices can wait that long for their response. */
const LINGER_MS = 200;
const MAX_WAIT_MS = 5_000;

/** Accepts heartbeats from requests and from open event streams; requests within 200 ms are written in one batch. */
@Injectable()
export class DeviceHeartbeatsService {
  readonly #writtenTotal: Counter<'by'>;
  readonly #queue = new BatchQueue<Heartbeat, undefined>({
    concurrency: 1,
    maxBatchSize: MAX_BATCH_SIZE,
    lingerMs: LINGER_MS,
    maxWaitMs: MAX_WAIT_MS,
    work: (heartbeats) => this.#write(heartbeats),
  });

  constructor(
    private readonly writer: HeartbeatWriter,
    metrics: Metrics,
  ) {
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
    const written = await this.writer.write(new Map(userIds.map((userId) => [userId, { userId }])));
    this.#writtenTotal.inc({ by: 'stream' }, written.size);
  }

  async #write(heartbeats: Heartbeat[]): Promise<(undefined | BusinessError)[]> {
    const written = await this.writer.write(mergeByUser(heartbeats));
    return heartbeats.map(({ userId }) =>
      written.has(userId) ? undefined : new BusinessError('DEVICE_NOT_FOUND'),
    );
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
