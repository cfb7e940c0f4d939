import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { CONFIG, type Config } from '../../config/config';
import { EventsService } from '../../events/events.service';
import { DeviceHeartbeatsService } from './device-heartbeats.service';

/** An open stream counts as a heartbeat three times per `DEVICE_OFFLINE_SECONDS`, and at least twice a minute. */
const HEARTBEATS_PER_TIMEOUT = 3;
const MAX_INTERVAL_MS = 30_000;

/**
 * Records heartbeats of users with an event stream open on this instance (API 12.4): when it opens, and then every
 * third of `DEVICE_OFFLINE_SECONDS`. Most of these users have no device; an indexed query finds those that have.
 */
@Injectable()
export class StreamHeartbeats implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #everyMs: number;
  /** Connected users whose heartbeat is due. */
  readonly #due = new Set<number>();
  /** Time of the last heartbeat of the other connected users, in milliseconds since 1970, oldest first. */
  readonly #recordedAt = new Map<number, number>();
  #subscription?: Subscription;

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly events: EventsService,
    private readonly heartbeats: DeviceHeartbeatsService,
    private readonly clock: Clock,
  ) {
    this.#everyMs = Math.min(MAX_INTERVAL_MS, (devices.offlineSeconds * 1_000) / HEARTBEATS_PER_TIMEOUT);
  }

  onApplicationBootstrap(): void {
    this.#subscription = this.events.connectionChanges.subscribe(({ userId, isConnected }) => {
      this.#recordedAt.delete(userId);
      if (isConnected) this.#due.add(userId);
      else this.#due.delete(userId);
    });
  }

  onModuleDestroy(): void {
    this.#subscription?.unsubscribe();
  }

  /** Records the heartbeats that are due. Those that fail to be written stay due. */
  async recordHeartbeats(): Promise<void> {
    const now = this.clock.now().getTime();
    for (const [userId, recordedAt] of this.#recordedAt) {
      if (Math.abs(now - recordedAt) < this.#everyMs) break;
      this.#recordedAt.delete(userId);
      this.#due.add(userId);
    }
    for (const chunk of inChunks([...this.#due])) {
      await this.heartbeats.listen(chunk);
      // Users who have disconnected meanwhile are no longer in `#due`.
      for (const userId of chunk) if (this.#due.delete(userId)) this.#recordedAt.set(userId, now);
    }
  }
}
