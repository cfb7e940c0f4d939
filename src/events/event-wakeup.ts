import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { RedisConnection } from '../redis/redis-connection';
import { EventHub } from './event-hub';
import { EventSources } from './event-sources';
import { Repeater } from './repeater';

const CHANNEL = 'callboard:events';
const TICK_MS = 1_000;
/** With Redis there, a look so many ticks apart catches what a lost message would have told. */
const TICKS_BETWEEN_LOOKS = 5;
/** Announced instead of all users' ids. */
export const EVERYBODY = 0;

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
  readonly #look = new Repeater(
    () => this.hub.look(),
    (error) => this.#log.warn(`Events wait for the next look: ${String(error)}`),
  );
  /** Apart from the look, which must not wait while many catch up. */
  readonly #catchUp = new Repeater(
    async () => {
      if (this.hub.userIds.length > 0) await this.sources.late?.catchUpAll(() => this.hub.userIds);
    },
    (error) => this.#log.warn(`Late events wait for the next look: ${String(error)}`),
  );

  constructor(
    private readonly hub: EventHub,
    private readonly sources: EventSources,
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
    subscriber.on('message', (_channel: string, message: string) => this.#wake(idsIn(message)));
    subscriber.connect().catch(() => undefined);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscriber?.disconnect();
    await Promise.all([this.#look.stop(), this.#catchUp.stop()]);
  }

  /** Something that happened to these users and topics, or to `EVERYBODY`, is committed. */
  announce(ids: number[]): void {
    const unique = [...new Set(ids)];
    this.#wake(unique);
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

  #wake(ids: number[]): void {
    if (ids.includes(EVERYBODY)) this.#lookNow();
    else this.hub.wake(ids);
  }

  #tick(): void {
    this.#ticks += 1;
    this.hub.tick();
    if (this.#isSubscribed && this.#ticks % TICKS_BETWEEN_LOOKS !== 0) return;
    this.#look.runIfIdle();
    this.#catchUp.runIfIdle();
  }

  #lookNow(): void {
    this.#look.run();
    this.#catchUp.run();
  }
}

function idsIn(message: string): number[] {
  try {
    const ids: unknown = JSON.parse(message);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
  } catch {
    return [];
  }
}
