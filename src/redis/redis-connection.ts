import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import Redis from 'ioredis';
import { Clock } from '../common/clock';
import { Health, OFF, reportAfter } from '../common/health/health';
import { RunRecord } from '../common/health/run-record';
import { Metrics } from '../common/metrics';
import { CONFIG, type Config } from '../config/config';

const ANSWER_WITHIN_MS = 1_000;
/** A server that is silent for so long is taken for dead: what is sent to it would only pile up here. */
const SILENT_FOR_MS = 3_000;

/**
 * The one connection to Redis. Commands fail at once while the server is away and after a second when it is silent,
 * so whoever uses it must have an answer of its own for that. A subscriber takes a `client.duplicate()`.
 */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  /** Undefined without `REDIS_URL`. */
  readonly client?: Redis;
  readonly #log = new Logger('Redis');
  readonly #record: RunRecord;
  #isAway = false;

  constructor(@Inject(CONFIG) { redisUrl }: Config, metrics: Metrics, health: Health, clock: Clock) {
    this.#record = new RunRecord(() => clock.now());
    health.register('redis', async () => (this.client ? reportAfter(this.ping(), this.#record) : OFF));
    if (redisUrl === undefined) return;
    metrics.gauge('callboard_redis_up', 'Whether Redis is there', () =>
      Number(this.client?.status === 'ready'),
    );
    this.client = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      connectTimeout: ANSWER_WITHIN_MS,
      commandTimeout: ANSWER_WITHIN_MS,
      socketTimeout: SILENT_FOR_MS,
    });
    // Every failed attempt to connect is an event; the log hears of the change only.
    this.client.on('error', (error) => this.#announce(true, error));
    this.client.on('ready', () => this.#announce(false));
    this.client.connect().catch(() => undefined);
  }

  /**
   * Resolves once Redis has answered, and where there is none.
   * @throws whatever the client throws: at once while it is away, after a second when it is silent
   */
  async ping(): Promise<void> {
    if (this.client) await this.#record.of(this.client.ping());
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }

  #announce(isAway: boolean, error?: Error): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.#log.warn(isAway ? `away: ${error?.message || 'no connection'}` : 'back');
  }
}
