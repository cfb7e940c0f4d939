import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../redis/redis-connection';
import type { RedisPubSub } from '../../redis/redis-pub-sub';
import { Workers } from '../../workers/workers';
import type { InstanceChannel } from './instance-channel';
import { type InstanceMessage, parseInstanceMessage } from './instance-message';

/** In a cluster each shard carries the messages of its share of the channels. */
const CHANNEL_COUNT = 256;
const CHANNELS = Array.from({ length: CHANNEL_COUNT }, (_, index) => `callboard:events:${index}`);

/**
 * Connects all instances through Redis (`REDIS_URL`). Messages name the service that sends them. Its own workers ignore
 * them, because they have received them through `WorkerChannel`. Every instance subscribes to all channels.
 */
@Injectable()
export class RedisChannel implements InstanceChannel {
  #pubSub?: RedisPubSub;

  constructor(
    private readonly redis: RedisConnection,
    private readonly workers: Workers,
  ) {}

  get isUsed(): boolean {
    return this.redis.client !== undefined;
  }

  get isSubscribed(): boolean {
    return this.#pubSub?.isSubscribed ?? false;
  }

  open(receive: (message: InstanceMessage) => void, onSubscribed: () => void): void {
    const onMessage = (text: string): void => {
      const { message, from } = parseInstanceMessage(text);
      if (message !== undefined && from !== this.workers.serviceId) receive(message);
    };
    this.#pubSub = this.redis.subscribe(CHANNELS, { onMessage, onSubscribed });
  }

  publish(message: InstanceMessage): void {
    const text = JSON.stringify({ ...message, from: this.workers.serviceId });
    this.#pubSub?.publish(channelOf(message), text);
  }

  close(): void {
    this.#pubSub?.close();
  }
}

/**
 * Returns the channel of a message: that of its first log or user, so that the ephemeral events of a conversation keep
 * their order. A message that names several logs is published once.
 */
function channelOf(message: InstanceMessage): string {
  const key = 'logs' in message ? message.logs[0] : 'live' in message ? message.live.userIds[0] : 0;
  return CHANNELS[Math.abs(key ?? 0) % CHANNEL_COUNT] as string;
}
