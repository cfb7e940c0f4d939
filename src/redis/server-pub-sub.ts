import { Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { keepConnected } from './redis-client';
import type { RedisListener, RedisPubSub } from './redis-pub-sub';

/** After SUBSCRIBE no command is sent, so nothing else notices a server that hangs or a connection that is lost. */
const PING_INTERVAL_MS = 2_000;

/** Publishes and subscribes at one server, or at the master that Sentinels name. */
export class ServerPubSub implements RedisPubSub {
  isSubscribed = false;
  readonly #log = new Logger('Redis');
  readonly #subscriber: Redis;
  readonly #disconnect: () => void;
  readonly #pings: NodeJS.Timeout;

  /** @param client publishes; the subscription has a connection of its own */
  constructor(
    private readonly client: Redis,
    private readonly channels: readonly string[],
    private readonly listener: RedisListener,
  ) {
    this.#subscriber = client.duplicate({ autoResubscribe: false });
    this.#subscriber.on('error', () => undefined);
    this.#subscriber.on('close', () => (this.isSubscribed = false));
    this.#subscriber.on('ready', () => void this.#subscribe());
    this.#subscriber.on('message', (_channel: string, text: string) => listener.onMessage(text));
    this.#disconnect = keepConnected(this.#subscriber);
    this.#pings = setInterval(() => void this.#ping(), PING_INTERVAL_MS).unref();
  }

  publish(channel: string, text: string): void {
    this.client.publish(channel, text).catch(() => undefined);
  }

  close(): void {
    clearInterval(this.#pings);
    this.#disconnect();
  }

  async #ping(): Promise<void> {
    if (!this.isSubscribed) return;
    await this.#subscriber.ping().catch(() => this.#subscriber.disconnect(true));
  }

  async #subscribe(): Promise<void> {
    try {
      await this.#subscriber.subscribe(...this.channels);
      this.isSubscribed = true;
      this.listener.onSubscribed();
    } catch (error) {
      this.#log.warn(
        `Failed to subscribe to Redis, reconnecting and polling the database meanwhile: ${String(error)}`,
      );
      this.#subscriber.disconnect(true);
    }
  }
}
