import { Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../database/database-probe';
import { RedisConnection } from '../redis/redis-connection';

/** How each thing the service depends on is doing. */
export type Checks = Record<string, 'up' | 'down'>;

/** Whether this instance can do its work: not while its database or Redis is away, nor once it is shutting down. */
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

  /** From now on this instance wants no new requests. */
  stop(): void {
    this.#stopping = true;
  }
}

const upOrDown = (answer: Promise<void>): Promise<'up' | 'down'> =>
  answer.then(
    () => 'up',
    () => 'down',
  );
