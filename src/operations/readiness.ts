import { Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../database/database-probe';
import { RedisConnection } from '../redis/redis-connection';

/** State of each dependency of the service. */
export type Checks = Record<string, 'up' | 'down'>;

/**
 * Determines whether this instance can serve requests: not while its database or Redis is down, nor during the
 * shutdown.
 */
@Injectable()
export class Readiness {
  #stopping = false;

  constructor(
    private readonly database: DatabaseProbe,
    private readonly redis: RedisConnection,
  ) {}

  async check(): Promise<{ ready: boolean; checks: Checks }> {
    const [database, redis] = await Promise.all([
      upOrDown(this.database.ping()),
      this.redis.client && upOrDown(this.redis.ping()),
    ]);
    const checks: Checks = { database, ...(redis && { redis }) };
    return { ready: !this.#stopping && Object.values(checks).every((state) => state === 'up'), checks };
  }

  /** Makes the instance not ready, permanently, so that it receives no new requests. */
  stop(): void {
    this.#stopping = true;
  }
}

const upOrDown = (ping: Promise<void>): Promise<'up' | 'down'> =>
  ping.then(
    () => 'up',
    () => 'down',
  );
