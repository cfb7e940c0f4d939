import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { DeviceStreams } from './device-streams';
import { DeviceSweep } from './device-sweep';

const TICK_MS = 1_000;
/** A tick that comes so much later found this instance busy, and not away. */
const LATE_MS = 5_000;

/**
 * Lets time pass for devices: open streams beat, and who has not been heard of for `DEVICE_OFFLINE_SECONDS` goes offline.
 * All instances look; each change is made by one of them, since its row is held. Nobody is swept for as long after the start,
 * or after this instance could not hear: devices are not gone because the service was.
 */
@Injectable()
export class DeviceWatch implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #offlineMs: number;
  /** On the clock, in milliseconds. */
  #listensSince = 0;
  #tickedAt = 0;
  readonly #job = new PeriodicJob(this, {
    name: 'device_watch',
    everyMs: TICK_MS,
    run: (stopping) => this.tick(stopping),
    onFailure: 'Devices stay as they are until they can be heard again',
  });

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly streams: DeviceStreams,
    private readonly sweep: DeviceSweep,
    private readonly clock: Clock,
  ) {
    this.#offlineMs = devices.offlineSeconds * 1_000;
  }

  onApplicationBootstrap(): void {
    this.#tickedAt = this.clock.machineTime();
    this.#listensAgain();
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  async tick(stopping?: AbortSignal): Promise<void> {
    // A machine that slept, or a process that was stopped, heard nobody meanwhile.
    const wasAway = this.clock.machineTime() - this.#tickedAt > Math.max(LATE_MS, this.#offlineMs / 2);
    this.#tickedAt = this.clock.machineTime();
    if (wasAway) this.#listensAgain();
    try {
      // First: who listens here has not gone, however long ago it was written so.
      await this.streams.beat();
      if (this.clock.now().getTime() - this.#listensSince >= this.#offlineMs) await this.sweep.run(stopping);
    } catch (error) {
      this.#listensAgain();
      throw error;
    }
  }

  #listensAgain(): void {
    this.#listensSince = this.clock.now().getTime();
  }
}
