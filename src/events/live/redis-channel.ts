import { Injectable, Logger } from '@nestjs/common';
import type Redis from 'ioredis';
import { RedisConnection } from '../../redis/redis-connection';
import { Workers } from '../../workers/workers';
import type { InstanceChannel } from './instance-channel';
import { type InstanceMessage, parseInstanceMessage } from './instance-message';

const CHANNEL = 'callboard:events';

/**
 * Connects all instances through Redis (`REDIS_URL`). Messages name the service that sends them. Its own workers ignore
 * them, because they have received them through `WorkerChannel`.
 */
@Injectable()
export class RedisChannel implements InstanceChannel {
  readonly #log = new Logger(RedisChannel.name);
  #subscriber?: Redis;
  #isSubscribed = false;

  constructor(
    private readonly redis: RedisConnection,
    private readonly workers: Workers,
  ) {}

  get isUsed(): boolean {
    return this.redis.client !== undefined;
  }

  get isSubscribed(): boolean {
    return this.#isSubscribed;
  }

  open(receive: (message: InstanceMessage) => void, onSubscribed: () => void): void {
    const subscriber = this.redis.client?.duplicate({ autoResubscribe: false });
    if (subscriber === undefined) return;
    this.#subscriber = subscriber;
    subscriber.on('error', () => undefined);
    subscriber.on('close', () => (this.#isSubscribed = false));
    subscriber.on('ready', () => void this.#subscribe(subscriber, onSubscribed));
    subscriber.on('message', (_channel: string, text: string) => {
      const { message, from } = parseInstanceMessage(text);
      if (message !== undefined && from !== this.workers.serviceId) receive(message);
    });
    subscriber.connect().catch(() => undefined);
  }

  publish(message: InstanceMessage): void {
    const text = JSON.stringify({ ...message, from: this.workers.serviceId });
    this.redis.client?.publish(CHANNEL, text).catch(() => undefined);
  }

  close(): void {
    this.#subscriber?.disconnect();
  }

  async #subscribe(subscriber: Redis, onSubscribed: () => void): Promise<void> {
    try {
      await subscriber.subscribe(CHANNEL);
      this.#isSubscribed = true;
      onSubscribed();
    } catch (error) {
      this.#log.warn(
        `Failed to subscribe to Redis, reconnecting and polling the database meanwhile: ${String(error)}`,
      );
      subscriber.disconnect(true);
    }
  }
}
