import type { EntityManager } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { foldCase } from '../../common/fold-case';
import type { Slice } from '../../common/http/page';
import {
  allOf,
  type RawCount,
  type SqlPart,
  straightJoin,
  toCount,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import type { PresenceInSql } from './user-presence';

/** A SELECT of ids that matches no user. */
export const NOBODY: SqlPart = { sql: 'SELECT NULL', parameters: [] };

/** Filters of a user list. */
export interface UserFilter {
  /** Part of the account or the name, case-insensitive. */
  keyword?: string;
  external_id?: string;
  role?: Role;
  status?: number;
  from?: Date;
  before?: Date;
  /** Only users with a greater id. */
  afterId?: number;
  /** A SELECT of user ids; only these users match. */
  among?: SqlPart;
}

/** An indexed column of `users` and the sort direction. */
export interface UserOrder {
  column: string;
  descending: boolean;
}

/** Counts the users that match the filter. */
export function countUsers(em: EntityManager, filter: UserFilter): Promise<number> {
  return count(em, { from: 'users u', where: conditionsOf(em, filter), order: [] });
}

/** Returns the ids of a slice of the users, sorted by a column; ties are sorted by id. */
export function userIdsBy(
  em: EntityManager,
  filter: UserFilter,
  { column, descending }: UserOrder,
  slice: Slice,
): Promise<number[]> {
  const order = column === 'id' ? ['u.id'] : [`u.${column}`, 'u.id'];
  return idsOf(em, { from: 'users u', where: conditionsOf(em, filter), order }, descending, slice);
}

/**
 * Returns the ids of a slice of the users, sorted by presence. Descending: users who are online, then users who were
 * seen, most recent first, then users who were never seen; ties are sorted by id. Ascending is the exact reverse. Each
 * of the three parts uses an index, and only the parts that overlap the slice are read.
 */
export async function userIdsBySeen(
  em: EntityManager,
  filter: UserFilter,
  presence: PresenceInSql,
  descending: boolean,
  { offset, limit }: Slice,
): Promise<number[]> {
  const parts = partsBySeen(em, filter, presence);
  const ids: number[] = [];
  let skip = offset;
  for (const part of descending ? parts : parts.toReversed()) {
    const found = await idsOf(em, part, descending, { offset: skip, limit: limit - ids.length });
    ids.push(...found);
    if (ids.length === limit) break;
    // Rows were found: the slice goes on at the start of the next part. None were found: subtract the size of this
    // part.
    if (skip > 0) skip = found.length > 0 ? 0 : skip - (await count(em, part));
  }
  return ids;
}

/** One part of the list: a query and its sort columns. */
interface Part {
  from: string;
  where: SqlPart[];
  order: string[];
}

function partsBySeen(em: EntityManager, filter: UserFilter, { online, seenIn }: PresenceInSql): Part[] {
  const where = conditionsOf(em, filter);
  const isThere = { sql: `u.id IN (${online.sql})`, parameters: online.parameters };
  const isAway = { sql: `u.id NOT IN (${online.sql})`, parameters: online.parameters };
  const wasSeen = { sql: 'p.last_seen_at IS NOT NULL', parameters: [] };
  const never = {
    sql: `NOT EXISTS (SELECT 1 FROM ${seenIn} p WHERE p.user_id = u.id AND p.last_seen_at IS NOT NULL)`,
    parameters: [],
  };
  return [
    { from: 'users u', where: [...where, isThere], order: ['u.id'] },
    {
      from: `${seenIn} p ${straightJoin(em)} users u ON u.id = p.user_id`,
      where: [...where, wasSeen, isAway],
      order: ['p.last_seen_at', 'p.user_id'],
    },
    { from: 'users u', where: [...where, isAway, never], order: ['u.id'] },
  ];
}

async function count(em: EntityManager, { from, where }: Part): Promise<number> {
  const { sql, parameters } = allOf(where);
  const [row] = await em.query<{ n: RawCount }[]>(`SELECT COUNT(*) AS n FROM ${from}${sql}`, parameters);
  return toCount(row?.n);
}

async function idsOf(
  em: EntityManager,
  { from, where, order }: Part,
  descending: boolean,
  { offset, limit }: Slice,
): Promise<number[]> {
  const { sql, parameters } = allOf(where);
  const columns = order.map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`);
  const rows = await em.query<{ id: number }[]>(
    `SELECT u.id FROM ${from}${sql} ORDER BY ${columns.join(', ')} LIMIT ? OFFSET ?`,
    [...parameters, limit, offset],
  );
  return rows.map(({ id }) => id);
}

function conditionsOf(em: EntityManager, filter: UserFilter): SqlPart[] {
  const { keyword, external_id, role, status, from, before, afterId, among } = filter;
  const conditions: SqlPart[] = [];
  const where = (sql: string, ...parameters: unknown[]): void => void conditions.push({ sql, parameters });
  if (keyword !== undefined) {
    const part = foldCase(keyword);
    // INSTR has no wildcards, unlike LIKE, and exists in both databases.
    where('(INSTR(u.account_key, ?) > 0 OR INSTR(u.name_key, ?) > 0)', part, part);
  }
  if (external_id !== undefined) where("u.external_id = ? AND u.issuer = ''", external_id);
  if (role !== undefined) where('u.role = ?', role);
  if (status !== undefined) where('u.status = ?', status);
  if (from !== undefined) where('u.created_at >= ?', toSqlTimestamp(em, from));
  if (before !== undefined) where('u.created_at < ?', toSqlTimestamp(em, before));
  if (afterId !== undefined) where('u.id > ?', afterId);
  if (among !== undefined) where(`u.id IN (${among.sql})`, ...among.parameters);
  return conditions;
}
