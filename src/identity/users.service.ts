import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThanOrEqual, type Repository } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { BusinessError } from '../common/errors/business-error';
import { batch } from '../common/concurrency/batch';
import { findRows } from '../database/rows';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/** How a user is shown to others. */
export interface UserSummary {
  id: number;
  name: string;
  /** URL of a picture. */
  avatar: string | null;
}

/** What other modules may know of a user: how to show it, and whether it can be reached. */
export interface User extends UserSummary {
  enabled: boolean;
  createdAt: Date;
}

/** The users, looked up by id. */
@Injectable()
export class UsersService {
  readonly #found = batch<User | undefined>((ids) => findUsers(this.users.manager, ids), undefined);

  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  /** The users with these ids, in a map; unknown ids are missing from it. `em` reads inside a transaction. */
  async findByIds(ids: number[], em?: EntityManager): Promise<Map<number, User>> {
    const unique = [...new Set(ids)];
    if (em !== undefined) return findUsers(em, unique);
    const users = await Promise.all(unique.map((id) => this.#found.load(id)));
    return new Map(users.filter((user) => user !== undefined).map((user) => [user.id, user]));
  }

  /** The user of a local id, or of an external id that no provider's issuer goes with (contract 18.1). */
  async findNamed(named: { id: number } | { externalId: string }): Promise<User | undefined> {
    if ('id' in named) return this.#found.load(named.id);
    const where = { external_id: named.externalId, issuer: '' };
    const [user] = await findRows(this.users.manager, UserEntity, where);
    return user && toUser(user);
  }

  /** How many users there are, or how many whose stored role is this one. */
  count(em: EntityManager, role?: Role): Promise<number> {
    return role === undefined ? em.count(UserEntity) : em.countBy(UserEntity, { role });
  }

  /** The stored roles of some users, read inside a transaction. */
  async rolesOf(ids: number[], em: EntityManager): Promise<Map<number, Role>> {
    const rows = await findRows(em, UserEntity, { id: ids });
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /** The users whose time of creation is `moment` or later. */
  async findCreatedSince(moment: Date, em: EntityManager): Promise<User[]> {
    return (await em.findBy(UserEntity, { created_at: MoreThanOrEqual(moment) })).map(toUser);
  }

  /** The ids of the enabled users whose stored role is that of administrators, ascending. */
  async administratorIds(em: EntityManager): Promise<number[]> {
    const rows = await em.find(UserEntity, {
      select: { id: true },
      where: { role: 'admin', status: USER_ENABLED },
      order: { id: 'ASC' },
    });
    return rows.map(({ id }) => id);
  }

  /**
   * One user.
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
