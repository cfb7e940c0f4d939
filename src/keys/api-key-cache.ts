import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ApiKey, ApiKeyAuthenticator, type KeyRefusal } from '../common/auth/api-keys/api-key';
import { Clock } from '../common/clock';
import { queryBatcher } from '../common/concurrency/query-batcher';
import { BusinessError } from '../common/errors/business-error';
import type { UserId } from '../common/ids';
import { Transactions } from '../database/transactions';
import { UsersService } from '../identity/users.service';
import type { ApiKeyEntity } from './entities/api-key.entity';
import { KeyUses } from './key-uses';
import { keysByHash } from './keys.store';
import { hashOfKey, isShapedLikeKey } from './rules/key-text.rules';
import { readOnBehalf } from './rules/on-behalf.rules';

const MAX_CACHED_KEYS = 10_000;
/** A change takes effect within ten seconds (API 4.1), including requests that are in progress. */
const CACHE_TTL_MS = 9_000;

/**
 * Authenticates API keys. A key is cached for nine seconds: most requests need no query, and a key that is revoked or
 * changed is rejected or updated within seconds on every instance. Expiry is checked on each request. Unknown keys are
 * not cached: concurrent look-ups of invalid keys share a query, and do not evict valid keys.
 */
@Injectable()
export class ApiKeyCache extends ApiKeyAuthenticator {
  /** Valid keys by hash. */
  readonly #cache: LRUCache<string, ApiKey>;
  readonly #lookUps = queryBatcher<ApiKey | undefined, string>(
    (hashes) => this.#findByHashes(hashes),
    undefined,
  );
  /** Number of invalidations. A result that was read before the latest one may be stale and is not cached. */
  #invalidations = 0;

  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uses: KeyUses,
    private readonly clock: Clock,
  ) {
    super();
    this.#cache = new LRUCache({
      // With `max` the cache would allocate its memory in advance; with `maxSize` it grows as needed.
      maxSize: MAX_CACHED_KEYS,
      sizeCalculation: () => 1,
      ttl: CACHE_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  async find(text: string): Promise<ApiKey | KeyRefusal> {
    if (!isShapedLikeKey(text)) return 'api key unknown';
    const hash = hashOfKey(text);
    const key = this.#cache.get(hash) ?? (await this.#load(hash));
    if (key === undefined) return 'api key unknown';
    return this.#isUnexpired(key) ? key : 'api key expired';
  }

  cached(text: string): ApiKey | undefined {
    const key = this.#cache.get(hashOfKey(text));
    return key && this.#isUnexpired(key) ? key : undefined;
  }

  noteUse({ id }: ApiKey): void {
    this.uses.note(id);
  }

  async userNamed(named: unknown): Promise<UserId> {
    const user = await this.users.findNamed(readOnBehalf(named));
    if (user === undefined) throw new BusinessError('USER_NOT_FOUND');
    if (!user.enabled) throw new BusinessError('FORBIDDEN');
    return user.id as UserId;
  }

  /** Clears the cache, so that a change takes effect on this instance immediately. */
  invalidate(): void {
    this.#invalidations += 1;
    this.#cache.clear();
  }

  async #load(hash: string): Promise<ApiKey | undefined> {
    const invalidations = this.#invalidations;
    const start = this.clock.now().getTime();
    const key = await this.#lookUps.load(hash);
    // The nine seconds start when the query starts: its result may be old when it arrives.
    if (key !== undefined && invalidations === this.#invalidations) this.#cache.set(hash, key, { start });
    return key;
  }

  async #findByHashes(hashes: string[]): Promise<Map<string, ApiKey>> {
    const rows = await keysByHash(this.transactions.read(), hashes);
    return new Map(rows.map((row) => [row.hash, toApiKey(row)]));
  }

  #isUnexpired({ expiresAt }: ApiKey): boolean {
    return expiresAt === null || expiresAt > this.clock.now().getTime();
  }
}

const toApiKey = ({ id, name, scopes, rate_per_minute, expires_at }: ApiKeyEntity): ApiKey => ({
  id,
  name,
  scopes,
  ratePerMinute: rate_per_minute,
  expiresAt: expires_at?.getTime() ?? null,
});
