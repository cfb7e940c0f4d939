import { Logger } from '@nestjs/common';
import type { Cluster } from 'ioredis';
import { RECONNECT_AFTER_MS } from './redis-client';
import type { RedisListener, RedisPubSub } from './redis-pub-sub';

/**
 * Publishes and subscribes at a cluster. With sharded channels (Redis 7) a message goes only to the shard of its
 * channel; an older cluster sends every message to every node.
 *
 * The client subscribes again by itself after a node has failed, but does not report whether it succeeded. So any
 * failure ends the client, and another one subscribes to every channel.
 */
export class ClusterPubSub implements RedisPubSub {
  isSubscribed = false;
  readonly #log = new Logger('Redis');
  #subscriber?: Cluster;
  #reconnecting?: NodeJS.Timeout;
  #isSharded = true;

  /** @param client publishes; the subscription has connections of its own */
  constructor(
    private readonly client: Cluster,
    private readonly channels: readonly string[],
    private readonly listener: RedisListener,
  ) {
    this.#connect();
  }

  publish(channel: string, text: string): void {
    const sent = this.#isSharded ? this.client.spublish(channel, text) : this.client.publish(channel, text);
    sent.catch(() => undefined);
  }

  close(): void {
    clearTimeout(this.#reconnecting);
    const subscriber = this.#subscriber;
    this.#subscriber = undefined;
    subscriber?.disconnect();
  }

  #connect(): void {
    const subscriber = this.client.duplicate([], {
      shardedSubscribers: true,
      clusterRetryStrategy: () => null,
    });
    this.#subscriber = subscriber;
    // `-subscriber`: the node of a subscription has failed, or its slots have moved.
    for (const event of ['error', '-subscriber', 'close'])
      subscriber.on(event, () => this.#replace(subscriber));
    subscriber.on('ready', () => void this.#subscribe(subscriber));
    const receive = (_channel: string, text: string): void => {
      if (subscriber === this.#subscriber) this.listener.onMessage(text);
    };
    subscriber.on('message', receive);
    subscriber.on('smessage', receive);
    // A failure emits `close`.
    subscriber.connect().catch(() => undefined);
  }

  async #subscribe(subscriber: Cluster): Promise<void> {
    try {
      this.#isSharded = await supportsShardedChannels(subscriber);
      if (this.#isSharded) await Promise.all(this.channels.map((channel) => subscriber.ssubscribe(channel)));
      else await subscriber.subscribe(...this.channels);
      if (subscriber !== this.#subscriber || this.#reconnecting !== undefined) return;
      this.isSubscribed = true;
      this.listener.onSubscribed();
    } catch (error) {
      if (subscriber !== this.#subscriber) return;
      this.#log.warn(
        `Failed to subscribe to Redis, reconnecting and polling the database meanwhile: ${String(error)}`,
      );
      this.#replace(subscriber);
    }
  }

  #replace(failed: Cluster): void {
    if (failed !== this.#subscriber || this.#reconnecting !== undefined) return;
    this.isSubscribed = false;
    this.#reconnecting = setTimeout(() => {
      this.#reconnecting = undefined;
      this.#subscriber = undefined;
      failed.disconnect();
      this.#connect();
    }, RECONNECT_AFTER_MS);
  }
}

async function supportsShardedChannels(cluster: Cluster): Promise<boolean> {
  const [command] = (await cluster.call('COMMAND', 'INFO', 'SSUBSCRIBE')) as unknown[];
  return command !== null && command !== undefined;
}
