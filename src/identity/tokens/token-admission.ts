import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Admission, type Principal, type TokenClaims, type TokenRefusal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { batch } from '../../common/concurrency/batch';
import { inChunks } from '../../common/concurrency/chunks';
import type { UserId } from '../../common/ids';
import { findRows } from '../../database/rows';
import { SessionEntity } from '../entities/session.entity';
import { USER_ENABLED, UserEntity } from '../entities/user.entity';
import { ProviderProfiles } from './provider-profiles';
import { LOOK_UP_REST_MS, SubjectUsers } from './subject-users';

const KNOWN_USERS = 100_000;
const KNOWN_FOR_MS = 10_000;
const ASKED_AT_ONCE = 5_000;

/** What of a session is asked when its token comes. */
const SESSION = ['id', 'user_id', 'expires_at'] as const;

/** What was found out about a user. */
interface Known {
  id: UserId;
  enabled: boolean;
  /** When the token was issued that name and picture were taken from. */
  profileAt: number | null;
  /** Session id → whether it is the user's and goes on. */
  sessions: Map<string, boolean>;
}

/**
 * Lets the users of verified tokens in, creating those it sees for the first time (contract 1.6). What it finds out
 * is remembered for ten seconds, so that requests cost no query and yet a user who is disabled, or a session that
 * ends, is locked out within seconds on every instance.
 */
@Injectable()
export class TokenAdmission extends Admission {
  readonly #known: LRUCache<number, Known>;
  /** The ids of those whom a provider names by a text. */
  readonly #ids: LRUCache<string, UserId>;
  /** Whose the sessions are that go on. */
  readonly #owners = batch<number | undefined, string>(
    (ids) => this.#goingOnAmong(ids),
    undefined,
    LOOK_UP_REST_MS,
  );
  /** How often something was forgotten: what was read before the last time may be out of date. */
  #forgotten = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly subjects: SubjectUsers,
    private readonly profiles: ProviderProfiles,
    private readonly clock: Clock,
  ) {
    super();
    const perf = { now: () => clock.now().getTime() };
    // Told as a size, the memory for them is taken when they come.
    const bounds = { maxSize: KNOWN_USERS, sizeCalculation: () => 1 };
    const options = { ...bounds, ttl: KNOWN_FOR_MS, ttlResolution: 0, perf };
    this.#known = new LRUCache(options);
    this.#ids = new LRUCache(options);
  }

  /** The user of a verified token; why not, when there is no such user, it is disabled or the session is over. */
  async admit(claims: TokenClaims): Promise<Principal | TokenRefusal> {
    const { sid } = claims;
    const remembered = this.#remembered(claims);
    const isSettled = sid === undefined || remembered?.sessions.has(sid);
    // Asked about together, where neither is known.
    const [known, owner] = await Promise.all([
      remembered ?? this.#meet(claims),
      isSettled ? undefined : this.#owners.load(sid),
    ]);
    if (known === undefined) return 'unknown user';
    if (!isSettled) known.sessions.set(sid, owner === known.id);
    if (!known.enabled) return 'disabled';
    if (this.profiles.isNewer(claims, known.profileAt))
      known.profileAt = await this.profiles.take(known.id, claims);
    if (sid !== undefined && !known.sessions.get(sid)) return 'session over';
    return principalOf(known.id, claims);
  }

  cached(claims: TokenClaims): Principal | undefined {
    const known = this.#remembered(claims);
    if (!known?.enabled || this.profiles.isNewer(claims, known.profileAt)) return undefined;
    const { sid } = claims;
    return sid === undefined || known.sessions.get(sid) ? principalOf(known.id, claims) : undefined;
  }

  /** Drops what is remembered of a user, so that a change counts at once on this instance. */
  forget(userId: number): void {
    this.#forgotten += 1;
    this.#known.delete(userId);
    this.changes.next(userId);
  }

  /** Those of some principals whose users are enabled and whose sessions, if they have one, go on. */
  async stillAdmitted(principals: Principal[]): Promise<Set<Principal>> {
    const admitted = new Set<Principal>();
    for (const some of inChunks(principals, ASKED_AT_ONCE)) {
      const [users, sessions] = await Promise.all([
        this.#enabledAmong(some.map(({ id }) => id)),
        this.#goingOnAmong(some.flatMap(({ sid }) => sid ?? [])),
      ]);
      for (const principal of some) {
        const { id, sid } = principal;
        if (users.has(id) && (sid === undefined || sessions.get(sid) === id)) admitted.add(principal);
        else this.#known.delete(id);
      }
    }
    return admitted;
  }

  async #enabledAmong(ids: number[]): Promise<Set<number>> {
    const where = { id: [...new Set(ids)], status: USER_ENABLED };
    const users = await findRows(this.dataSource.manager, UserEntity, where, ['id']);
    return new Set(users.map(({ id }) => id));
  }

  /** The sessions that go on, and whose they are. */
  async #goingOnAmong(ids: string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const found = await findRows(this.dataSource.manager, SessionEntity, { id: ids }, SESSION);
    const now = this.clock.now();
    return new Map(found.flatMap(({ id, user_id, expires_at }) => (expires_at > now ? [[id, user_id]] : [])));
  }

  #remembered({ subject }: TokenClaims): Known | undefined {
    const id = typeof subject === 'number' ? subject : this.#ids.get(subject.key);
    return id === undefined ? undefined : this.#known.get(id);
  }

  async #meet(claims: TokenClaims): Promise<Known | undefined> {
    const forgotten = this.#forgotten;
    const start = this.clock.now().getTime();
    const user = await this.subjects.findOrCreate(claims);
    if (user === undefined) return undefined;
    const id = user.id as UserId;
    const { status, profile_at: profileAt } = user;
    const known: Known = { id, enabled: status === USER_ENABLED, profileAt, sessions: new Map() };
    // The ten seconds begin with the question: its answer may have been on its way for long.
    if (forgotten === this.#forgotten) this.#known.set(id, known, { start });
    if (typeof claims.subject !== 'number') this.#ids.set(claims.subject.key, id, { start });
    return known;
  }
}

const principalOf = (id: UserId, { role, exp, sid }: TokenClaims): Principal => ({
  id,
  role,
  expiresAt: exp * 1000,
  sid,
});
