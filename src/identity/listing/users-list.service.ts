import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { timeRangeOf } from '../../common/day-range';
import { pagesById } from '../../common/export/row-export';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { type AdminUserResponse, toAdminUserResponse } from '../dto/user-responses.dto';
import type { ListUsersQuery, SearchUsersQuery } from '../dto/users.dto';
import type { UserEntity } from '../entities/user.entity';
import { UsersService } from '../users.service';
import { usersByIds } from '../users.store';
import { UserPresence } from './user-presence';
import { countUsers, NOBODY, type UserFilter, userIdsBy, userIdsBySeen } from './users-list.store';

/** Sort columns of fields whose column has another name. */
const SORT_COLUMNS: Record<string, string> = { account: 'account_key' };
const LAST_SEEN_AT = 'last_seen_at';
const BY_ID = { column: 'id', descending: false };

/** Lists users for the administration, with the presence also of users who hide it (API 3.2). */
@Injectable()
export class UsersListService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly presence: UserPresence,
  ) {}

  /**
   * Returns one user.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  async get(id: number): Promise<AdminUserResponse> {
    return this.show(await this.users.get(id));
  }

  /** Returns the response for a user that was just read or written. */
  async show(user: UserEntity): Promise<AdminUserResponse> {
    return toAdminUserResponse(user, (await this.presence.of([user.id])).get(user.id));
  }

  /** Returns one page of users, sorted by id by default. */
  async list(query: ListUsersQuery): Promise<ItemsPage<AdminUserResponse>> {
    const manager = this.transactions.read();
    const filter = this.#filterOf(query, manager);
    const total = await countUsers(manager, filter);
    const slice = { offset: offsetOf(query), limit: query.per_page };
    const ids = slice.offset < total ? await this.#idsOf(query, filter, slice, manager) : [];
    return new ItemsPage(await this.#showAll(ids, manager), total, query);
  }

  /** Returns all users that match, sorted by id, page after page. */
  export(query: SearchUsersQuery): AsyncGenerator<AdminUserResponse[], void> {
    const manager = this.transactions.read();
    const filter = this.#filterOf(query, manager);
    return pagesById(async ({ afterId, limit }) => {
      const ids = await userIdsBy(manager, { ...filter, afterId }, BY_ID, { offset: 0, limit });
      return this.#showAll(ids, manager);
    });
  }

  /** Returns the ids of at most `limit` users that match and have a greater id than `afterId`, ascending. */
  idsAfter(query: SearchUsersQuery, afterId: number, limit: number): Promise<number[]> {
    const manager = this.transactions.read();
    return userIdsBy(manager, { ...this.#filterOf(query, manager), afterId }, BY_ID, { offset: 0, limit });
  }

  #filterOf({ online, ...query }: SearchUsersQuery, em: EntityManager): UserFilter {
    const { keyword, external_id, role, status } = query;
    const among = online === 1 ? (this.presence.inSql(em)?.online ?? NOBODY) : undefined;
    return { keyword, external_id, role, status, ...timeRangeOf(query, this.config.timezone), among };
  }

  #idsOf(
    { sort = 'id' }: ListUsersQuery,
    filter: UserFilter,
    slice: { offset: number; limit: number },
    em: EntityManager,
  ): Promise<number[]> {
    const descending = sort.startsWith('-');
    const field = sort.replace('-', '');
    const presence = this.presence.inSql(em);
    if (field === LAST_SEEN_AT && presence !== undefined)
      return userIdsBySeen(em, filter, presence, descending, slice);
    // Without presence data all users are equal in this order, so they are sorted by id.
    const column = field === LAST_SEEN_AT ? 'id' : (SORT_COLUMNS[field] ?? field);
    return userIdsBy(em, filter, { column, descending }, slice);
  }

  async #showAll(ids: number[], em: EntityManager): Promise<AdminUserResponse[]> {
    if (ids.length === 0) return [];
    const [rows, seen] = await Promise.all([usersByIds(em, ids), this.presence.of(ids)]);
    const byId = new Map(rows.map((user) => [user.id, toAdminUserResponse(user, seen.get(user.id))]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
