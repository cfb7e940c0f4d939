import { Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { keepConnected } from './redis-client';
import type { RedisListener, RedisPubSub } from './redis-pub-sub';

/** Publishes and subscribes at one server, or at the master that Sentinels name. */
export class ServerPubSub implements RedisPubSub {
  readonly #log = new Logger('Redis');
  readonly #subscriber: Redis;
  readonly #disconnect: () => void;
  #isSubscribed = false;

  /** @param client publishes; the subscription has a connection of its own */
  constructor(
    private readonly client: Redis,
    private readonly channels: readonly string[],
    private readonly listener: RedisListener,
  ) {
    this.#subscriber = client.duplicate({ autoResubscribe: false });
    this.#subscriber.on('error', () => undefined);
    this.#subscriber.on('close', () => (this.#isSubscribed = false));
    this.#subscriber.on('ready', () => void this.#subscribe());
    this.#subscriber.on('message', (_channel: string, text: string) => listener.onMessage(text));
    this.#disconnect = keepConnected(this.#subscriber);
  }

  get isSubscribed(): boolean {
    return this.#isSubscribed;
  }

  publish(channel: string, text: string): void {
    this.client.publish(channel, text).catch(() => undefined);
  }

  close(): void {
    this.#disconnect();
  }

  async #subscribe(): Promise<void> {
    try {
      await this.#subscriber.subscribe(...this.channels);
      this.#isSubscribed = true;
      this.listener.onSubscribed();
    } catch (error) {
      this.#log.warn(
        `Failed to subscribe to Redis, reconnecting and polling the database meanwhile: ${String(error)}`,
      );
      this.#subscriber.disconnect(true);
    }
  }
}
