import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { queryBatcher } from '../common/concurrency/query-batcher';
import { Transactions } from '../database/transactions';
import { USER_ENABLED, type UserEntity } from './entities/user.entity';
import {
  countUsersWith,
  enabledAdministrators,
  type PublicUser,
  publicUsersByIds,
  userByExternalId,
  userById,
  usersByIds,
  usersCreatedSince,
} from './users.store';

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
  readonly #byId = queryBatcher<User | undefined>(
    (ids) => findUsers(this.transactions.read(), ids),
    undefined,
  );

  constructor(private readonly transactions: Transactions) {}

  /** Returns the users with these ids, by id. Unknown ids are missing. With `em` reads inside its transaction. */
  async findByIds(ids: number[], em?: EntityManager): Promise<Map<number, User>> {
    const unique = [...new Set(ids)];
    if (em !== undefined) return findUsers(em, unique);
    const users = await Promise.all(unique.map((id) => this.#byId.load(id)));
    return new Map(users.filter((user) => user !== undefined).map((user) => [user.id, user]));
  }

  /**
   * Returns the user with a local id, or with an external id that has no issuer (API 2.3); undefined if there is
   * none.
   */
  async findNamed(named: { id: number } | { externalId: string }): Promise<User | undefined> {
    if ('id' in named) return this.#byId.load(named.id);
    const user = await userByExternalId(this.transactions.read(), named.externalId);
    return user && toUser(user);
  }

  /** Counts all users, or those with a stored role. */
  count(em: EntityManager, role?: Role): Promise<number> {
    return countUsersWith(em, role);
  }

  /** Returns the stored roles of users by id, read inside the transaction of `em`. */
  async rolesOf(ids: number[], em: EntityManager): Promise<Map<number, Role>> {
    const rows = await usersByIds(em, ids);
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /** Returns the users created at `moment` or later. */
  async findCreatedSince(moment: Date, em: EntityManager): Promise<User[]> {
    return (await usersCreatedSince(em, moment)).map(toUser);
  }

  /** Returns the ids of the enabled users with the stored role `admin`, ascending. */
  administratorIds(em: EntityManager): Promise<number[]> {
    return enabledAdministrators(em);
  }

  /**
   * Returns a user.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  get(id: number, em: EntityManager = this.transactions.read()): Promise<UserEntity> {
    return userById(em, id);
  }
}

async function findUsers(em: EntityManager, ids: number[]): Promise<Map<number, User>> {
  const rows = await publicUsersByIds(em, ids);
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

const toUser = ({ id, name, avatar, status, created_at }: PublicUser): User => ({
  id,
  name,
  avatar,
  enabled: status === USER_ENABLED,
  createdAt: created_at,
});
