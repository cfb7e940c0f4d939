import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisConnection } from '../redis/redis-connection';
import { Clock } from '../common/clock';

const MAX_KEYS_IN_MEMORY = 100_000;
/** Time during which Redis is not used after a failure. */
const REDIS_PAUSE_MS = 1_000;
const PREFIX = 'callboard:rate:';

/** State of a counter: the hits in the current window and the remaining time of the window. */
export interface Usage {
  count: number;
  /** Whole seconds, at least 1. */
  secondsLeft: number;
}

/**
 * Counts hits per key in fixed windows that start with the first hit. Instances share the counters through Redis.
 * Without Redis, or while it is unavailable, each instance counts in memory, so the limits never depend on Redis.
 */
@Injectable()
export class RateCounters {
  readonly #inMemory: LRUCache<string, { count: number; endsAt: number }>;
  #redisPausedUntil = 0;

  constructor(
    private readonly redis: RedisConnection,
    private readonly clock: Clock,
  ) {
    // `maxSize` instead of `max`: with `max` the cache would allocate memory for all keys immediately.
    this.#inMemory = new LRUCache({ maxSize: MAX_KEYS_IN_MEMORY, sizeCalculation: () => 1 });
  }

  /**
   * Counts hits of `key`, in a new window of `windowSeconds` if none is open. Returns the count including these hits.
   */
  async hit(key: string, windowSeconds: number, hits = 1): Promise<Usage> {
    const windowMs = windowSeconds * 1000;
    return (await this.#inRedis(key, { windowMs, hits })) ?? this.#hitInMemory(key, windowMs, hits);
  }

  /** Returns the number of hits of `key` in the current window, without counting one. */
  async read(key: string): Promise<Usage> {
    return (
      (await this.#inRedis(key)) ??
      usage(this.#openWindow(key)?.count, this.#openWindow(key)?.endsAt, this.#now())
    );
  }

  #now(): number {
    return this.clock.now().getTime();
  }

  #openWindow(key: string): { count: number; endsAt: number } | undefined {
    const window = this.#inMemory.get(key);
    return window !== undefined && window.endsAt > this.#now() ? window : undefined;
  }

  #hitInMemory(key: string, windowMs: number, hits: number): Usage {
    const window = this.#openWindow(key) ?? { count: 0, endsAt: this.#now() + windowMs };
    window.count += hits;
    this.#inMemory.set(key, window);
    return usage(window.count, window.endsAt, this.#now());
  }

  /** Returns the usage in Redis, after adding the given hits; undefined if Redis is unavailable. */
  async #inRedis(key: string, added?: { windowMs: number; hits: number }): Promise<Usage | undefined> {
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
      return usage(count, msLeft, 0);
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

const usage = (count = 0, endsAt = 0, now = 0): Usage => ({
  count,
  secondsLeft: Math.max(1, Math.ceil((endsAt - now) / 1000)),
});
