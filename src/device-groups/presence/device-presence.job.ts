import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { CONFIG, type Config } from '../../config/config';
import { Workers } from '../../workers/workers';
import { StreamHeartbeats } from './stream-heartbeats';
import { OfflineSweeper } from './offline-sweeper';

const TICK_MS = 1_000;
/** A gap between ticks of up to this length, or half of `DEVICE_OFFLINE_SECONDS`, means a busy instance, no suspension. */
const MAX_BUSY_GAP_MS = 5_000;

/**
 * Job for the online state of devices: records the heartbeats of open event streams, and takes devices offline that
 * have sent none for `DEVICE_OFFLINE_SECONDS`. Every instance runs it, and its first worker the sweep; row locks let only
 * one of them make each change.
 * For as long after the start, and after this instance could not receive heartbeats, it takes no device offline: an
 * outage of the service does not mean that devices are offline.
 */
@Injectable()
export class DevicePresenceJob implements OnApplicationBootstrap {
  readonly #offlineMs: number;
  /** Since when heartbeats are received without interruption, in milliseconds since 1970 by `Clock.now`. */
  #receivesSince = 0;
  /** Time of the last tick by `Clock.machineTime`, in milliseconds since 1970. */
  #lastTickAt = 0;

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly streams: StreamHeartbeats,
    private readonly sweep: OfflineSweeper,
    private readonly clock: Clock,
    private readonly workers: Workers,
  ) {
    this.#offlineMs = devices.offlineSeconds * 1_000;
  }

  onApplicationBootstrap(): void {
    this.#lastTickAt = this.clock.machineTime();
    this.#restartGracePeriod();
  }

  @Periodic({
    name: 'device_watch',
    everyMs: TICK_MS,
    onFailure: 'Device presence job failed; offline detection is paused',
  })
  async tick(stopping?: AbortSignal): Promise<void> {
    // A sleeping machine or a stopped process receives no heartbeats.
    const wasSuspended =
      this.clock.machineTime() - this.#lastTickAt > Math.max(MAX_BUSY_GAP_MS, this.#offlineMs / 2);
    this.#lastTickAt = this.clock.machineTime();
    if (wasSuspended) this.#restartGracePeriod();
    try {
      // Before the sweep: users connected here are online, even if their last heartbeat was written long ago.
      await this.streams.recordHeartbeats();
      const mayKnow = this.clock.now().getTime() - this.#receivesSince >= this.#offlineMs;
      if (mayKnow && this.workers.isFirst) await this.sweep.run(stopping);
    } catch (error) {
      this.#restartGracePeriod();
      throw error;
    }
  }

  #restartGracePeriod(): void {
    this.#receivesSince = this.clock.now().getTime();
  }
}
