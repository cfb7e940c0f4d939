import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Cluster } from 'ioredis';
import { Clock } from '../common/clock';
import { Health, OFF, reportAfter } from '../common/health/health';
import { RunRecord } from '../common/health/run-record';
import { Metrics } from '../common/metrics';
import { CONFIG, type Config } from '../config/config';
import { ClusterPubSub } from './cluster-pub-sub';
import { createRedisClient, keepConnected, type RedisClient } from './redis-client';
import type { RedisListener, RedisPubSub } from './redis-pub-sub';
import { ServerPubSub } from './server-pub-sub';

/**
 * The shared connection to Redis: one server, the master of Sentinels, or a cluster. Commands fail immediately while
 * the server is unreachable, and after 1 s if it does not respond; every caller needs a fallback for that. All keys of
 * a transaction must be in one slot of a cluster.
 */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  /** Undefined without `REDIS_URL`. */
  readonly client?: RedisClient;
  readonly #log = new Logger('Redis');
  readonly #record: RunRecord;
  #disconnect = (): void => undefined;
  #isDown = false;

  constructor(
    @Inject(CONFIG) { redis }: Pick<Config, 'redis'>,
    metrics: Metrics,
    health: Health,
    clock: Clock,
  ) {
    this.#record = new RunRecord(() => clock.now());
    health.register('redis', async () => (this.client ? reportAfter(this.ping(), this.#record) : OFF));
    if (redis === undefined) return;
    metrics.gauge(
      'callboard_redis_up',
      'Whether the connection to Redis is up',
      () => Number(this.client?.status === 'ready'),
      'min',
    );
    this.client = createRedisClient(redis);
    // Every failed attempt to connect emits `error`; only changes are logged.
    this.client.on('error', (error: Error) => this.#logChange(true, error));
    this.client.on('ready', () => this.#logChange(false));
    this.#disconnect = keepConnected(this.client);
  }

  /**
   * Resolves when Redis has responded, or immediately if it is not configured. A cluster must serve all slots.
   * @throws {Error} of the client: immediately while Redis is unreachable, after 1 s if it does not respond
   */
  async ping(): Promise<void> {
    if (this.client) await this.#record.of(probe(this.client));
  }

  /** Subscribes to channels; undefined without `REDIS_URL`. */
  subscribe(channels: readonly string[], listener: RedisListener): RedisPubSub | undefined {
    if (this.client === undefined) return undefined;
    return this.client instanceof Cluster
      ? new ClusterPubSub(this.client, channels, listener)
      : new ServerPubSub(this.client, channels, listener);
  }

  onApplicationShutdown(): void {
    this.#disconnect();
  }

  #logChange(isDown: boolean, error?: Error): void {
    if (isDown === this.#isDown) return;
    this.#isDown = isDown;
    this.#log.warn(
      isDown
        ? `Redis is unavailable, reconnecting: ${error?.message || 'no connection'}`
        : 'Redis is available again',
    );
  }
}

async function probe(client: RedisClient): Promise<void> {
  if (!(client instanceof Cluster)) return void (await client.ping());
  const info = await client.cluster('INFO');
  if (!/^cluster_state:ok\b/m.test(info)) throw new Error('The cluster does not serve all slots');
}
