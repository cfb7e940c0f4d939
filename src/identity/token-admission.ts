import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { In, MoreThan, type Repository } from 'typeorm';
import { Admission, type Principal, type TokenClaims } from '../common/auth/principal';
import type { UserId } from '../common/ids';
import { Clock } from '../common/clock';
import { batch } from '../common/concurrency/batch';
import { inChunks } from '../common/concurrency/chunks';
import { isUniqueViolation } from '../database/errors';
import { findRows } from '../database/rows';
import { Transactions } from '../database/transactions';
import { SessionEntity } from './entities/session.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';
import { newUserFromClaims, userIdOf } from './token-user';

const KNOWN_USERS = 100_000;
const KNOWN_FOR_MS = 10_000;
const ASKED_AT_ONCE = 5_000;

/** What was found out about a user. */
interface Known {
  enabled: boolean;
  /** Session id → whether it is the user's and goes on. */
  sessions: Map<string, boolean>;
}

const STRANGER: Known = { enabled: false, sessions: new Map() };

/**
 * Lets the users of verified tokens in, creating those it sees for the first time (contract 1.6). What it finds out
 * is remembered for ten seconds, so that requests cost no query and yet a user who is disabled, or a session that
 * ends, is locked out within seconds on every instance.
 */
@Injectable()
export class TokenAdmission extends Admission {
  readonly #known: LRUCache<number, Known>;
  /** How often something was forgotten: what was read before the last time may be out of date. */
  #forgotten = 0;
  /** Reads those who come together with one statement. */
  readonly #users = batch(async (ids) => {
    const users = await findRows(this.users.manager, UserEntity, { id: ids });
    return new Map(users.map((user) => [user.id, user]));
  }, undefined);

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    private readonly clock: Clock,
    private readonly transactions: Transactions,
  ) {
    super();
    const perf = { now: () => clock.now().getTime() };
    this.#known = new LRUCache({ max: KNOWN_USERS, ttl: KNOWN_FOR_MS, ttlResolution: 0, perf });
  }

  /** The user of a verified token; undefined when `sub` is no user id, the user is disabled or the session is over. */
  async admit(claims: TokenClaims): Promise<Principal | undefined> {
    const id = userIdOf(claims);
    if (id === undefined) return undefined;
    const known = this.#known.get(id) ?? (await this.#meet(id, claims));
    if (!known.enabled) return undefined;
    const { sid } = claims;
    if (sid !== undefined && !(known.sessions.get(sid) ?? (await this.#ask(known, id, sid))))
      return undefined;
    return principalOf(id, claims);
  }

  cached(claims: TokenClaims): Principal | undefined {
    const id = userIdOf(claims);
    const known = id === undefined ? undefined : this.#known.get(id);
    if (id === undefined || !known?.enabled) return undefined;
    const { sid } = claims;
    return sid === undefined || known.sessions.get(sid) ? principalOf(id, claims) : undefined;
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
    const where = { id: In([...new Set(ids)]), status: USER_ENABLED };
    return new Set((await this.users.find({ select: { id: true }, where })).map(({ id }) => id));
  }

  /** The sessions that go on, and whose they are. */
  async #goingOnAmong(ids: string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const where = { id: In(ids), expires_at: MoreThan(this.clock.now()) };
    const found = await this.sessions.find({ select: { id: true, user_id: true }, where });
    return new Map(found.map(({ id, user_id }) => [id, user_id]));
  }

  async #meet(id: number, claims: TokenClaims): Promise<Known> {
    const forgotten = this.#forgotten;
    const start = this.clock.now().getTime();
    let user = await this.#users.load(id);
    if (user === undefined) {
      // A token of our own is about a user that was there: it brings nobody new.
      if (claims.sid !== undefined) return STRANGER;
      await this.#create(id, claims);
      user = await this.users.findOneByOrFail({ id });
    }
    const known = { enabled: user.status === USER_ENABLED, sessions: new Map<string, boolean>() };
    // The ten seconds begin with the question: its answer may have been on its way for long.
    if (forgotten === this.#forgotten) this.#known.set(id, known, { start });
    return known;
  }

  async #create(id: number, claims: TokenClaims): Promise<void> {
    const newcomer = newUserFromClaims(id, claims, this.clock.now());
    try {
      // In a transaction for the sake of its further tries: those who wait for the same id may deadlock.
      await this.transactions.run((em) => em.insert(UserEntity, newcomer));
    } catch (error) {
      // Another request of the same newcomer was faster.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  async #ask(known: Known, userId: number, sid: unknown): Promise<boolean> {
    if (typeof sid !== 'string') return false;
    const goesOn = await this.sessions.existsBy({
      id: sid,
      user_id: userId,
      expires_at: MoreThan(this.clock.now()),
    });
    known.sessions.set(sid, goesOn);
    return goesOn;
  }
}

const principalOf = (id: number, { role, exp, sid }: TokenClaims): Principal => ({
  id: id as UserId,
  role: role === 'admin' ? 'admin' : 'user',
  expiresAt: exp * 1000,
  sid,
});
