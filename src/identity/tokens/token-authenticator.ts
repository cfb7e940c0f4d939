import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  Authenticator,
  type Principal,
  type TokenClaims,
  type TokenRefusal,
} from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { inChunks } from '../../common/concurrency/chunks';
import type { UserId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { USER_ENABLED } from '../entities/user.entity';
import { sessionOwners } from '../sessions/sessions.store';
import { tokenUsers } from '../users.store';
import { LOOK_UP_REST_MS, UserProvisioning } from './subject-users';

const MAX_CACHED_USERS = 100_000;
const CACHE_TTL_MS = 10_000;
const REVALIDATION_BATCH_SIZE = 5_000;

/** A cached user. */
interface CachedUser {
  id: UserId;
  enabled: boolean;
  /** Issue time of the token from which name and picture were taken, in ms since 1970; null without one. */
  profileAt: number | null;
  /** Session id → whether the session belongs to the user and is active. */
  sessions: Map<string, boolean>;
}

/**
 * Authenticates verified tokens and creates users of provider tokens on first use (API 2.3). Users and sessions
 * are cached for ten seconds: most requests need no query, and a disabled user or an ended session is rejected within
 * seconds on every instance.
 */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  readonly #cache: LRUCache<number, CachedUser>;
  /** User ids by the key of the external subject. */
  readonly #idsBySubject: LRUCache<string, UserId>;
  /** Loads the owner of an active session. */
  readonly #sessionOwners = queryBatcher<number | undefined, string>(
    (ids) => this.#findActiveSessions(ids),
    undefined,
    LOOK_UP_REST_MS,
  );
  /** Number of invalidations. A result that was read before the latest one may be stale and is not cached. */
  #invalidations = 0;

  constructor(
    private readonly transactions: Transactions,
    private readonly provisioning: UserProvisioning,
    private readonly clock: Clock,
  ) {
    super();
    const perf = { now: () => clock.now().getTime() };
    // With `max` the cache would allocate its memory in advance; with `maxSize` it grows as needed.
    const bounds = { maxSize: MAX_CACHED_USERS, sizeCalculation: () => 1 };
    const options = { ...bounds, ttl: CACHE_TTL_MS, ttlResolution: 0, perf };
    this.#cache = new LRUCache(options);
    this.#idsBySubject = new LRUCache(options);
  }

  /** Returns the user of a verified token, or the reason of the rejection: no such user, disabled, or session ended. */
  async authenticate(claims: TokenClaims): Promise<Principal | TokenRefusal> {
    const { sid } = claims;
    const cached = this.#findCached(claims);
    const isSessionKnown = sid === undefined || cached?.sessions.has(sid);
    // Both are loaded concurrently if neither is cached.
    const [user, owner] = await Promise.all([
      cached ?? this.#load(claims),
      isSessionKnown ? undefined : this.#sessionOwners.load(sid),
    ]);
    if (user === undefined) return 'unknown user';
    if (!isSessionKnown) user.sessions.set(sid, owner === user.id);
    if (!user.enabled) return 'disabled';
    if (this.provisioning.hasNewerProfile(claims, user.profileAt))
      user.profileAt = await this.provisioning.takeProfile(user.id, claims);
    if (sid !== undefined && !user.sessions.get(sid)) return 'session over';
    return principalOf(user.id, claims);
  }

  cached(claims: TokenClaims): Principal | undefined {
    const user = this.#findCached(claims);
    if (!user?.enabled || this.provisioning.hasNewerProfile(claims, user.profileAt)) return undefined;
    const { sid } = claims;
    return sid === undefined || user.sessions.get(sid) ? principalOf(user.id, claims) : undefined;
  }

  /** Removes a user from the cache, so that a change takes effect on this instance immediately. */
  forget(userId: number): void {
    this.#invalidations += 1;
    this.#cache.delete(userId);
    this.changes.next(userId);
  }

  /** Returns the principals whose users are enabled and whose sessions, if any, are active. Reads the database. */
  async revalidate(principals: Principal[]): Promise<Set<Principal>> {
    const admitted = new Set<Principal>();
    for (const chunk of inChunks(principals, REVALIDATION_BATCH_SIZE)) {
      const [users, sessions] = await Promise.all([
        this.#findEnabled(chunk.map(({ id }) => id)),
        this.#findActiveSessions(chunk.flatMap(({ sid }) => sid ?? [])),
      ]);
      for (const principal of chunk) {
        const { id, sid } = principal;
        if (users.has(id) && (sid === undefined || sessions.get(sid) === id)) admitted.add(principal);
        else this.#cache.delete(id);
      }
    }
    return admitted;
  }

  async #findEnabled(ids: number[]): Promise<Set<number>> {
    const where = { id: [...new Set(ids)], status: USER_ENABLED };
    const users = await tokenUsers(this.transactions.read(), where);
    return new Set(users.map(({ id }) => id));
  }

  /** Returns the owners of the active sessions: session id → user id. */
  async #findActiveSessions(ids: string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const sessions = await sessionOwners(this.transactions.read(), ids);
    const now = this.clock.now();
    return new Map(
      sessions.flatMap(({ id, user_id, expires_at }) => (expires_at > now ? [[id, user_id]] : [])),
    );
  }

  #findCached({ subject }: TokenClaims): CachedUser | undefined {
    const id = typeof subject === 'number' ? subject : this.#idsBySubject.get(subject.key);
    return id === undefined ? undefined : this.#cache.get(id);
  }

  async #load(claims: TokenClaims): Promise<CachedUser | undefined> {
    const invalidations = this.#invalidations;
    const start = this.clock.now().getTime();
    const user = await this.provisioning.findOrCreate(claims);
    if (user === undefined) return undefined;
    const id = user.id as UserId;
    const { status, profile_at: profileAt } = user;
    const cached: CachedUser = { id, enabled: status === USER_ENABLED, profileAt, sessions: new Map() };
    // The ten seconds start when the query starts: its result may be old when it arrives.
    if (invalidations === this.#invalidations) this.#cache.set(id, cached, { start });
    if (typeof claims.subject !== 'number') this.#idsBySubject.set(claims.subject.key, id, { start });
    return cached;
  }
}

const principalOf = (id: UserId, { role, exp, sid }: TokenClaims): Principal => ({
  id,
  role,
  expiresAt: exp * 1000,
  sid,
});
