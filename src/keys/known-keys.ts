import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { type ApiKey, KeyAdmission, type KeyRefusal } from '../common/auth/api-keys/api-key';
import { Clock } from '../common/clock';
import { batch } from '../common/concurrency/batch';
import { BusinessError } from '../common/errors/business-error';
import type { UserId } from '../common/ids';
import { findRows } from '../database/rows';
import { UsersService } from '../identity/users.service';
import { ApiKeyEntity } from './entities/api-key.entity';
import { KeyUses } from './key-uses';
import { hashOfKey, isShapedLikeKey } from './rules/key-text';
import { readOnBehalf } from './rules/on-behalf';

const KEYS_REMEMBERED = 10_000;
/** A change counts within ten seconds (contract 13), for requests too that were under way. */
const REMEMBERED_FOR_MS = 9_000;

/**
 * Lets keys in. One that is found is remembered for nine seconds, so that its requests cost no query and yet one that is
 * revoked, or given other scopes, is so within seconds on every instance; when it expires is looked at each time. What is
 * not found is not remembered: made-up keys share a query, and push nothing out.
 */
@Injectable()
export class KnownKeys extends KeyAdmission {
  /** By hash. */
  readonly #known: LRUCache<string, ApiKey>;
  readonly #asked = batch<ApiKey | undefined, string>((hashes) => this.#ask(hashes), undefined);
  /** How often something was forgotten: what was read before the last time may be out of date. */
  #forgotten = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly uses: KeyUses,
    private readonly clock: Clock,
  ) {
    super();
    this.#known = new LRUCache({
      // Told as a size, the memory for them is taken when they come.
      maxSize: KEYS_REMEMBERED,
      sizeCalculation: () => 1,
      ttl: REMEMBERED_FOR_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  async find(text: string): Promise<ApiKey | KeyRefusal> {
    if (!isShapedLikeKey(text)) return 'api key unknown';
    const hash = hashOfKey(text);
    const key = this.#known.get(hash) ?? (await this.#meet(hash));
    if (key === undefined) return 'api key unknown';
    return this.#isAlive(key) ? key : 'api key expired';
  }

  cached(text: string): ApiKey | undefined {
    const key = this.#known.get(hashOfKey(text));
    return key && this.#isAlive(key) ? key : undefined;
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

  /** Drops what is remembered, so that a change counts at once on this instance. */
  forget(): void {
    this.#forgotten += 1;
    this.#known.clear();
  }

  async #meet(hash: string): Promise<ApiKey | undefined> {
    const forgotten = this.#forgotten;
    const start = this.clock.now().getTime();
    const key = await this.#asked.load(hash);
    // The nine seconds begin with the question: its answer may have been on its way for long.
    if (key !== undefined && forgotten === this.#forgotten) this.#known.set(hash, key, { start });
    return key;
  }

  async #ask(hash: string[]): Promise<Map<string, ApiKey>> {
    const rows = await findRows(this.dataSource.manager, ApiKeyEntity, { hash });
    return new Map(rows.map((row) => [row.hash, toApiKey(row)]));
  }

  #isAlive({ expiresAt }: ApiKey): boolean {
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
