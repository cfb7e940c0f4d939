import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThanOrEqual, type Repository } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { BusinessError } from '../common/errors/business-error';
import { queryBatcher } from '../common/concurrency/query-batcher';
import { findRows } from '../database/sql/statements';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/** A user as shown to other users. */
export interface UserSummary {
  id: number;
  name: string;
  /** URL of a picture. */
  avatar: string | null;
}

/** A user as seen by other modules: how to show it, and whether it is enabled. */
export interface User extends UserSummary {
  enabled: boolean;
  createdAt: Date;
}

/** Looks up users. */
@Injectable()
export class UsersService {
  readonly #byId = queryBatcher<User | undefined>((ids) => findUsers(this.users.manager, ids), undefined);

  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  /** Returns the users with these ids, by id. Unknown ids are missing. With `em` reads inside its transaction. */
  async findByIds(ids: number[], em?: EntityManager): Promise<Map<number, User>> {
    const unique = [...new Set(ids)];
    if (em !== undefined) return findUsers(em, unique);
    const users = await Promise.all(unique.map((id) => this.#byId.load(id)));
    return new Map(users.filter((user) => user !== undefined).map((user) => [user.id, user]));
  }

  /**
   * Returns the user with a local id, or with an external id that has no issuer (contract 18.1); undefined if there is
   * none.
   */
  async findNamed(named: { id: number } | { externalId: string }): Promise<User | undefined> {
    if ('id' in named) return this.#byId.load(named.id);
    const where = { external_id: named.externalId, issuer: '' };
    const [user] = await findRows(this.users.manager, UserEntity, where);
    return user && toUser(user);
  }

  /** Counts all users, or those with a stored role. */
  count(em: EntityManager, role?: Role): Promise<number> {
    return role === undefined ? em.count(UserEntity) : em.countBy(UserEntity, { role });
  }

  /** Returns the stored roles of users by id, read inside the transaction of `em`. */
  async rolesOf(ids: number[], em: EntityManager): Promise<Map<number, Role>> {
    const rows = await findRows(em, UserEntity, { id: ids });
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /** Returns the users created at `moment` or later. */
  async findCreatedSince(moment: Date, em: EntityManager): Promise<User[]> {
    return (await em.findBy(UserEntity, { created_at: MoreThanOrEqual(moment) })).map(toUser);
  }

  /** Returns the ids of the enabled users with the stored role `admin`, ascending. */
  async administratorIds(em: EntityManager): Promise<number[]> {
    const rows = await em.find(UserEntity, {
      select: { id: true },
      where: { role: 'admin', status: USER_ENABLED },
      order: { id: 'ASC' },
    });
    return rows.map(({ id }) => id);
  }

  /**
   * Returns a user.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  async get(id: number, em?: EntityManager): Promise<UserEntity> {
    const user = await (em?.getRepository(UserEntity) ?? this.users).findOneBy({ id });
    if (user === null) throw new BusinessError('USER_NOT_FOUND');
    return user;
  }
}

async function findUsers(em: EntityManager, ids: number[]): Promise<Map<number, User>> {
  const rows = ids.length === 0 ? [] : await findRows(em, UserEntity, { id: ids });
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

const toUser = ({ id, name, avatar, status, created_at }: UserEntity): User => ({
  id,
  name,
  avatar,
  enabled: status === USER_ENABLED,
  createdAt: created_at,
});
