import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import Redis from 'ioredis';
import { Clock } from '../common/clock';
import { Health, OFF, reportAfter } from '../common/health/health';
import { RunRecord } from '../common/health/run-record';
import { Metrics } from '../common/metrics';
import { CONFIG, type Config } from '../config/config';

const TIMEOUT_MS = 1_000;
/** A connection without a response for this long is closed: further commands would only be queued on it. */
const SOCKET_TIMEOUT_MS = 3_000;

/**
 * The shared connection to Redis. Commands fail immediately while the server is unreachable, and after 1 s if it does
 * not respond; every caller needs a fallback for that. A subscriber uses a `client.duplicate()`.
 */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  /** Undefined without `REDIS_URL`. */
  readonly client?: Redis;
  readonly #log = new Logger('Redis');
  readonly #record: RunRecord;
  #isDown = false;

  constructor(@Inject(CONFIG) { redisUrl }: Config, metrics: Metrics, health: Health, clock: Clock) {
    this.#record = new RunRecord(() => clock.now());
    health.register('redis', async () => (this.client ? reportAfter(this.ping(), this.#record) : OFF));
    if (redisUrl === undefined) return;
    metrics.gauge(
      'callboard_redis_up',
      'Whether the connection to Redis is up',
      () => Number(this.client?.status === 'ready'),
      'min',
    );
    this.client = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      connectTimeout: TIMEOUT_MS,
      commandTimeout: TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    });
    // Every failed attempt to connect emits `error`; only changes are logged.
    this.client.on('error', (error) => this.#logChange(true, error));
    this.client.on('ready', () => this.#logChange(false));
    this.client.connect().catch(() => undefined);
  }

  /**
   * Resolves when Redis has responded, or immediately if it is not configured.
   * @throws {Error} of the client: immediately while Redis is unreachable, after 1 s if it does not respond
   */
  async ping(): Promise<void> {
    if (this.client) await this.#record.of(this.client.ping());
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
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
