import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RedisConnection } from '../redis/redis-connection';
import { Clock } from '../common/clock';

const KEYS_IN_MEMORY = 100_000;
const LEAVE_REDIS_ALONE_MS = 1_000;
const PREFIX = 'callboard:rate:';

/** What a counter says: how often its key was hit in the window that runs, and how long that one still lasts. */
export interface Usage {
  count: number;
  /** Whole seconds, at least 1. */
  secondsLeft: number;
}

/**
 * Counts hits per key in fixed windows, each opened by its first hit. Instances count together through Redis; without
 * it, or while it is away, each counts for itself, so a limit never depends on Redis being there.
 */
@Injectable()
export class RateCounters {
  readonly #inMemory: LRUCache<string, { count: number; endsAt: number }>;
  #redisIsAwayUntil = 0;

  constructor(
    private readonly redis: RedisConnection,
    private readonly clock: Clock,
  ) {
    // Told as a size, the memory for them is taken when they come.
    this.#inMemory = new LRUCache({ maxSize: KEYS_IN_MEMORY, sizeCalculation: () => 1 });
  }

  /** Counts hits of `key`, opening a window of `windowSeconds` when none runs; answers the count with these hits. */
  async hit(key: string, windowSeconds: number, hits = 1): Promise<Usage> {
    const windowMs = windowSeconds * 1000;
    return (await this.#inRedis(key, { windowMs, hits })) ?? this.#hitInMemory(key, windowMs, hits);
  }

  /** How often `key` was hit so far. */
  async read(key: string): Promise<Usage> {
    return (
      (await this.#inRedis(key)) ?? usage(this.#running(key)?.count, this.#running(key)?.endsAt, this.#now())
    );
  }

  #now(): number {
    return this.clock.now().getTime();
  }

  #running(key: string): { count: number; endsAt: number } | undefined {
    const window = this.#inMemory.get(key);
    return window !== undefined && window.endsAt > this.#now() ? window : undefined;
  }

  #hitInMemory(key: string, windowMs: number, hits: number): Usage {
    const window = this.#running(key) ?? { count: 0, endsAt: this.#now() + windowMs };
    window.count += hits;
    this.#inMemory.set(key, window);
    return usage(window.count, window.endsAt, this.#now());
  }

  /** The usage as Redis has it, after hits when some are given; undefined when Redis gives no answer. */
  async #inRedis(key: string, added?: { windowMs: number; hits: number }): Promise<Usage | undefined> {
    const { client } = this.redis;
    if (client === undefined || performance.now() < this.#redisIsAwayUntil) return undefined;
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
      // The connection itself tells the log. A silent server must not hold up every request.
      this.#redisIsAwayUntil = performance.now() + LEAVE_REDIS_ALONE_MS;
      return undefined;
    }
  }
}

/**
 * Counts failures apart from requests: an instance keeps so many keys and no more, and requests make up a new one for
 * free, while each of these costs a check of a password.
 */
@Injectable()
export class FailureCounters extends RateCounters {}

/** Counts what is looked for, apart from requests for the same reason: made-up keys must not push these out. */
@Injectable()
export class SearchCounters extends RateCounters {}

const usage = (count = 0, endsAt = 0, now = 0): Usage => ({
  count,
  secondsLeft: Math.max(1, Math.ceil((endsAt - now) / 1000)),
});
