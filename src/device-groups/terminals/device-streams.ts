import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { CONFIG, type Config } from '../../config/config';
import { EventsService } from '../../events/events.service';
import { DeviceHeartbeatsService } from './device-heartbeats.service';

/** A stream beats three times before its device would go offline, and twice a minute in any case. */
const BEATS = 3;
const LONGEST_MS = 30_000;

/**
 * Who has an event stream open on this instance is heard of by that (contract 14.4): when it opens, and then every third
 * of `DEVICE_OFFLINE_SECONDS`. Most listeners have no device; which of them have, a look-up by an index tells.
 */
@Injectable()
export class DeviceStreams implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #everyMs: number;
  /** Who has begun to listen, and was not heard of by it yet. */
  readonly #fresh = new Set<number>();
  /** When others were, the longest ago first. */
  readonly #heard = new Map<number, number>();
  #subscription?: Subscription;

  constructor(
    @Inject(CONFIG) { devices }: Config,
    private readonly events: EventsService,
    private readonly heartbeats: DeviceHeartbeatsService,
    private readonly clock: Clock,
  ) {
    this.#everyMs = Math.min(LONGEST_MS, (devices.offlineSeconds * 1_000) / BEATS);
  }

  onApplicationBootstrap(): void {
    this.#subscription = this.events.listening.subscribe(({ userId, listens }) => {
      this.#heard.delete(userId);
      if (listens) this.#fresh.add(userId);
      else this.#fresh.delete(userId);
    });
  }

  onModuleDestroy(): void {
    this.#subscription?.unsubscribe();
  }

  /** Lets those beat whose time has come. Who could not be written is among them again the next time. */
  async beat(): Promise<void> {
    const now = this.clock.now().getTime();
    for (const [userId, heardAt] of this.#heard) {
      if (Math.abs(now - heardAt) < this.#everyMs) break;
      this.#heard.delete(userId);
      this.#fresh.add(userId);
    }
    for (const some of inChunks([...this.#fresh])) {
      await this.heartbeats.listen(some);
      // Who has left meanwhile is none of them any more.
      for (const userId of some) if (this.#fresh.delete(userId)) this.#heard.set(userId, now);
    }
  }
}
