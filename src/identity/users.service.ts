import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { type EntityManager, In, MoreThanOrEqual, type Repository } from 'typeorm';
import { Admission, type Principal, type TokenClaims } from '../common/auth/principal';
import { Clock } from '../common/clock';
import { isUniqueViolation } from '../database/database-errors';
import { USER_ENABLED, UserEntity } from './entities/user.entity';
import { newUserFromClaims, userIdOf } from './token-user';
import type { UserSummary } from './user-summary';

const KNOWN_USERS = 100_000;
const KNOWN_FOR_MS = 10_000;

/** What other modules may know of a user: how to show it, and whether it can be reached. */
export interface User extends UserSummary {
  enabled: boolean;
  createdAt: Date;
}

/** The users: created on first sight of their token, looked up by id. */
@Injectable()
export class UsersService extends Admission {
  /** User id → may come in. Short-lived, so that a disabled user is locked out within seconds on every instance. */
  readonly #known: LRUCache<number, boolean>;

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly clock: Clock,
  ) {
    super();
    const perf = { now: () => clock.now().getTime() };
    this.#known = new LRUCache({ max: KNOWN_USERS, ttl: KNOWN_FOR_MS, ttlResolution: 0, perf });
  }

  /** The user of an accepted token; undefined when `sub` is no user id or the user is disabled (contract 1.6). */
  async admit(claims: TokenClaims): Promise<Principal | undefined> {
    const id = userIdOf(claims);
    if (id === undefined) return undefined;
    const enabled = this.#known.get(id) ?? (await this.#meet(id, claims));
    return enabled ? { id, role: claims.role === 'admin' ? 'admin' : 'user' } : undefined;
  }

  /** The users with these ids, in a map; unknown ids are missing from it. `em` reads inside a transaction. */
  async findByIds(ids: number[], em?: EntityManager): Promise<Map<number, User>> {
    const repository = em?.getRepository(UserEntity) ?? this.users;
    const rows = ids.length === 0 ? [] : await repository.findBy({ id: In([...new Set(ids)]) });
    return new Map(rows.map((row) => [row.id, toUser(row)]));
  }

  /** How many users there are. */
  count(em: EntityManager): Promise<number> {
    return em.count(UserEntity);
  }

  /** The users whose time of creation is `moment` or later. */
  async findCreatedSince(moment: Date, em: EntityManager): Promise<User[]> {
    return (await em.findBy(UserEntity, { created_at: MoreThanOrEqual(moment) })).map(toUser);
  }

  async #meet(id: number, claims: TokenClaims): Promise<boolean> {
    let user = await this.users.findOneBy({ id });
    if (user === null) {
      await this.#create(id, claims);
      user = await this.users.findOneByOrFail({ id });
    }
    const enabled = user.status === USER_ENABLED;
    this.#known.set(id, enabled);
    return enabled;
  }

  async #create(id: number, claims: TokenClaims): Promise<void> {
    try {
      await this.users.insert(newUserFromClaims(id, claims, this.clock.now()));
    } catch (error) {
      // Another request of the same newcomer was faster.
      if (!isUniqueViolation(error)) throw error;
    }
  }
}

const toUser = ({ id, name, avatar, status, created_at }: UserEntity): User => ({
  id,
  name,
  avatar,
  enabled: status === USER_ENABLED,
  createdAt: created_at,
});
