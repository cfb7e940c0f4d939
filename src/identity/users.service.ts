import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThanOrEqual, type Repository } from 'typeorm';
import type { Role } from '../common/auth/principal';
import { timeRangeOf } from '../common/day-range';
import { BusinessError } from '../common/errors/business-error';
import { CONFIG, type Config } from '../config/config';
import { foldCase } from '../common/fold-case';
import { ItemsPage, offsetOf } from '../common/http/page';
import { batch } from '../common/concurrency/batch';
import { findRows } from '../database/rows';
import { type AdminUserResponse, toAdminUserResponse } from './dto/user-responses.dto';
import type { ListUsersQuery } from './dto/users.dto';
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

/** What stands for a field where a list is ordered by it. */
const SORTED_BY: Record<string, string> = { account: 'account_key' };

/** The users, looked up by id or listed. */
@Injectable()
export class UsersService {
  readonly #found = batch<User | undefined>((ids) => findUsers(this.users.manager, ids), undefined);

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

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

  /** One page of all users, by id where no other order is asked for. `keyword` is part of the account or the name; case does not count (contract 2). */
  async list(query: ListUsersQuery): Promise<ItemsPage<AdminUserResponse>> {
    const wanted = this.users.createQueryBuilder('u');
    const { keyword, external_id, role, status, sort = 'id' } = query;
    if (keyword !== undefined) {
      // INSTR, unlike LIKE, has no wildcards, and both databases have it.
      const part = { part: foldCase(keyword) };
      wanted.andWhere('(INSTR(u.account_key, :part) > 0 OR INSTR(u.name_key, :part) > 0)', part);
    }
    if (external_id !== undefined)
      wanted.andWhere("u.external_id = :external_id AND u.issuer = ''", { external_id });
    if (role !== undefined) wanted.andWhere('u.role = :role', { role });
    if (status !== undefined) wanted.andWhere('u.status = :status', { status });
    const { from, before } = timeRangeOf(query, this.config.timezone);
    if (from !== undefined) wanted.andWhere('u.created_at >= :from', { from });
    if (before !== undefined) wanted.andWhere('u.created_at < :before', { before });
    const total = await wanted.getCount();
    const column = sort.replace('-', '');
    const order = sort.startsWith('-') ? 'DESC' : 'ASC';
    wanted.orderBy(`u.${SORTED_BY[column] ?? column}`, order);
    if (column !== 'id') wanted.addOrderBy('u.id', order);
    const rows = await wanted.offset(offsetOf(query)).limit(query.per_page).getMany();
    return new ItemsPage(rows.map(toAdminUserResponse), total, query);
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
