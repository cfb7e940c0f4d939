import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { RedisConnection } from '../redis/redis-connection';
import { EventHub } from './event-hub';

const CHANNEL = 'callboard:events';
const TICK_MS = 1_000;
/** With Redis there, a look so many ticks apart catches what a lost message would have told. */
const TICKS_BETWEEN_LOOKS = 5;

/**
 * How streams learn of commits: those of this instance at once, those of others through Redis. Redis only says whom
 * to look for, so losing its messages costs time, never events: without it every instance looks once a second.
 */
@Injectable()
export class EventWakeup implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(EventWakeup.name);
  #subscriber?: Redis;
  #isSubscribed = false;
  #timer?: NodeJS.Timeout;
  #ticks = 0;
  #look?: Promise<void>;

  constructor(
    private readonly hub: EventHub,
    private readonly redis: RedisConnection,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    const subscriber = this.redis.client?.duplicate({ autoResubscribe: false });
    if (subscriber === undefined) return;
    this.#subscriber = subscriber;
    subscriber.on('error', () => undefined);
    subscriber.on('close', () => (this.#isSubscribed = false));
    subscriber.on('ready', () => void this.#subscribe(subscriber));
    subscriber.on('message', (_channel: string, message: string) => this.hub.wake(userIdsIn(message)));
    subscriber.connect().catch(() => undefined);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscriber?.disconnect();
    await this.#look;
  }

  /** Something that happened to these users is committed. */
  announce(userIds: number[]): void {
    const unique = [...new Set(userIds)];
    this.hub.wake(unique);
    this.redis.client?.publish(CHANNEL, JSON.stringify(unique)).catch(() => undefined);
  }

  async #subscribe(subscriber: Redis): Promise<void> {
    try {
      await subscriber.subscribe(CHANNEL);
      this.#isSubscribed = true;
      // Whatever was announced while nobody heard it.
      this.#lookNow();
    } catch (error) {
      this.#log.warn(`Not subscribed, the database is polled instead: ${String(error)}`);
      subscriber.disconnect(true);
    }
  }

  #tick(): void {
    this.#ticks += 1;
    this.hub.tick();
    if (!this.#isSubscribed || this.#ticks % TICKS_BETWEEN_LOOKS === 0) this.#lookNow();
  }

  #lookNow(): void {
    this.#look ??= this.hub
      .look()
      .catch((error: unknown) => this.#log.warn(`Events wait for the next look: ${String(error)}`))
      .finally(() => (this.#look = undefined));
  }
}

function userIdsIn(message: string): number[] {
  try {
    const ids: unknown = JSON.parse(message);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
  } catch {
    return [];
  }
}
