import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import Redis from 'ioredis';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/config';

const CHECK_TIMEOUT_MS = 2_000;

/** How each thing the service depends on is doing. */
export type Checks = Record<string, 'up' | 'down'>;

/** Whether this instance can do its work: not while its database or Redis is away, nor once it is shutting down. */
@Injectable()
export class Readiness implements OnApplicationShutdown {
  readonly #redis?: Redis;
  #stopping = false;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly dataSource: DataSource,
  ) {
    if (config.redisUrl === undefined) return;
    this.#redis = new Redis(config.redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
    });
    // Its state is asked for, not announced: without a listener each failed attempt to connect would be thrown.
    this.#redis.on('error', () => undefined);
    this.#redis.connect().catch(() => undefined);
  }

  async check(): Promise<{ ready: boolean; checks: Checks }> {
    const checks: Checks = { database: await upOrDown(this.dataSource.query('SELECT 1')) };
    if (this.#redis) checks.redis = await upOrDown(this.#redis.ping());
    return { ready: !this.#stopping && Object.values(checks).every((state) => state === 'up'), checks };
  }

  /** From now on this instance wants no new requests. */
  stop(): void {
    this.#stopping = true;
  }

  onApplicationShutdown(): void {
    this.#redis?.disconnect();
  }
}

async function upOrDown(answer: Promise<unknown>): Promise<'up' | 'down'> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('no answer')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([answer, timeout.promise]);
    return 'up';
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}
