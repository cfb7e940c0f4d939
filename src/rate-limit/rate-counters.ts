import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../redis/redis-connection';
import { Clock } from '../common/clock';
import { Workers } from '../workers/workers';
import { COUNT, type CountRequest } from './shared-counters';
import { type Hits, toUsage, type Usage, WindowCounters } from './window-counters';

/** Time during which Redis is not used after a failure. */
const REDIS_PAUSE_MS = 1_000;
const PREFIX = 'callboard:rate:';

/**
 * Counts hits per key in fixed windows that start with the first hit. Instances share the counters through Redis.
 * Without Redis, or while it is unavailable, each instance counts in memory, its workers in the primary, so the limits
 * never depend on Redis.
 */
@Injectable()
export class RateCounters {
  readonly #inMemory: WindowCounters;
  #redisPausedUntil = 0;

  constructor(
    private readonly redis: RedisConnection,
    private readonly workers: Workers,
    clock: Clock,
  ) {
    this.#inMemory = new WindowCounters(() => clock.now().getTime());
  }

  /**
   * Counts hits of `key`, in a new window of `windowSeconds` if none is open. Returns the count including these hits.
   */
  hit(key: string, windowSeconds: number, hits = 1): Promise<Usage> {
    return this.#use(key, { windowMs: windowSeconds * 1000, hits });
  }

  /** Returns the number of hits of `key` in the current window, without counting one. */
  read(key: string): Promise<Usage> {
    return this.#use(key);
  }

  async #use(key: string, added?: Hits): Promise<Usage> {
    return (
      (await this.#inRedis(key, added)) ??
      (await this.#inPrimary(key, added)) ??
      this.#inMemory.use(key, added)
    );
  }

  /** Returns the usage in the primary; undefined without workers, or if the primary does not respond. */
  async #inPrimary(key: string, added?: Hits): Promise<Usage | undefined> {
    if (!this.workers.areUsed) return undefined;
    const request: CountRequest = { counters: this.constructor.name, key, added };
    return this.workers.ask<Usage>(COUNT, request).catch(() => undefined);
  }

  /** Returns the usage in Redis, after adding the given hits; undefined if Redis is unavailable. */
  async #inRedis(key: string, added?: Hits): Promise<Usage | undefined> {
    const { client } = this.redis;
    if (client === undefined || performance.now() < this.#redisPausedUntil) return undefined;
    const name = PREFIX + key;
    const commands =
      added === undefined
        ? client.multi().get(name)
        : client.multi().set(name, 0, 'PX', added.windowMs, 'NX').incrby(name, added.hits);
    try {
      const replies = (await commands.pttl(name).exec()) ?? [];
      const [count, msLeft] = replies.slice(-2).map(([, reply]) => Number(reply));
      return toUsage(count, msLeft);
    } catch {
      // `RedisConnection` logs the failure. The pause prevents that every request waits for a server that does not
      // respond.
      this.#redisPausedUntil = performance.now() + REDIS_PAUSE_MS;
      return undefined;
    }
  }
}

/**
 * Counts failures separately from requests. The number of keys in memory is limited, and requests can create new keys
 * at no cost, which would evict these; each key here costs a password check.
 */
@Injectable()
export class FailureCounters extends RateCounters {}

/** Counts searches, separately from requests for the same reason: invented keys must not evict these. */
@Injectable()
export class SearchCounters extends RateCounters {}
