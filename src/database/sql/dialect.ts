import type { DataSource, EntityManager } from 'typeorm';
import { DateUtils } from 'typeorm/util/DateUtils';

/* Differences between the databases that matter to raw statements, and helpers for their lists of parameters. */

/** An entity manager or a query runner. */
interface HasDataSource {
  dataSource: DataSource;
}

export const isSqlite = ({ dataSource }: HasDataSource): boolean =>
  dataSource.options.type === 'better-sqlite3';

/** A part of a statement, with the values of its placeholders. */
export interface SqlPart {
  sql: string;
  parameters: unknown[];
}

/** Returns ` WHERE a AND b`; nothing without conditions. */
export const allOf = (conditions: readonly SqlPart[]): SqlPart => ({
  sql: conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
  parameters: conditions.flatMap(({ parameters }) => parameters),
});

/** Returns `?, ?, ?`: one placeholder per value. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Returns `(?, ?), (?, ?)`: the placeholders of one row, `?, ?`, once per row. */
export const tuples = (rows: readonly unknown[], rowPlaceholders: string): string =>
  rows.map(() => `(${rowPlaceholders})`).join(', ');

/** Returns the list after `(a, b) IN`. SQLite compares a row only with the rows of a query, so it needs VALUES. */
export const tupleList = (em: HasDataSource, rows: readonly unknown[], rowPlaceholders: string): string =>
  `(${isSqlite(em) ? 'VALUES ' : ''}${tuples(rows, rowPlaceholders)})`;

/**
 * Returns the list after `(a, b) IN` for an UPDATE or a DELETE. Must not be used after NOT. In those statements MariaDB
 * resolves a list of one row by reading, and so locking, the whole table. A second row of NULLs, which equals no row,
 * makes it use the index.
 */
export const tupleListOfChange = (
  em: HasDataSource,
  rows: readonly unknown[],
  rowPlaceholders: string,
): string =>
  isSqlite(em)
    ? tupleList(em, rows, rowPlaceholders)
    : `(${tuples(rows, rowPlaceholders)}, (${rowPlaceholders.replaceAll('?', 'NULL')}))`;

/** Returns the end of an upsert: a row whose key already exists is updated. MySQL assigns from left to right. */
export const onConflictUpdate = (em: EntityManager, key: readonly string[], assignments: string): string =>
  `${isSqlite(em) ? `ON CONFLICT (${key.join(', ')}) DO UPDATE SET` : 'ON DUPLICATE KEY UPDATE'} ${assignments}`;

/** Returns the start of an INSERT that skips rows whose key already exists. */
export const insertIgnore = (em: EntityManager): string =>
  isSqlite(em) ? 'INSERT OR IGNORE' : 'INSERT IGNORE';

/** Returns the value that an upsert would have inserted; the bare column name is the stored value. */
export const excluded = (em: EntityManager, column: string): string =>
  isSqlite(em) ? `excluded.${column}` : `VALUES(${column})`;

/**
 * Returns the ids that the database generated for the rows of one INSERT.
 * @param insertId the id that the driver returned: the first row's on MySQL, the last row's on SQLite. The ids have no
 * gaps, but in a cluster they are `@@auto_increment_increment` apart, because every server generates its own.
 */
export async function allottedIds(em: EntityManager, insertId: number, count: number): Promise<number[]> {
  if (isSqlite(em)) return Array.from({ length: count }, (_, index) => insertId - count + 1 + index);
  const step = await autoIncrementStep(em);
  return Array.from({ length: count }, (_, index) => insertId + index * step);
}

/** Key in the data of a transaction's query runner. */
const STEP = 'step of ids';

/** Returns the distance between two generated ids on this server. Queried once per transaction. */
async function autoIncrementStep(em: EntityManager): Promise<number> {
  const data: { [STEP]?: number } = em.queryRunner?.data ?? {};
  if (data[STEP] === undefined) {
    const [row] = await em.query<{ step: RawCount }[]>('SELECT @@auto_increment_increment AS step');
    data[STEP] = toCount(row?.step);
  }
  return data[STEP];
}

/**
 * Returns a SELECT of the next distinct ids of a column in ascending order; takes the id to begin after and a limit. A
 * branch of a UNION, which would otherwise read the rest of the table for each batch.
 */
export const nextIdsOf = (table: string, column: string): string =>
  `SELECT id FROM (SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} > ?
     ORDER BY ${column} LIMIT ?) ${column}s`;

/*
 * Row locks, which last until the end of the transaction. SQLite has no syntax for them and needs none: a transaction
 * is alone there.
 */

/** Returns the end of a SELECT that locks its rows exclusively. */
export const lockingEnd = (em: EntityManager): string => (isSqlite(em) ? '' : ' FOR UPDATE');

/**
 * Returns the end of a SELECT that locks its rows in share mode, and so waits for transactions that are changing them.
 */
export const lockingShared = (em: EntityManager): string => (isSqlite(em) ? '' : ' LOCK IN SHARE MODE');

/**
 * Joins several raw SELECTs into one statement that locks their rows. Rows that their subqueries read are not locked.
 */
export function lockingUnion(em: EntityManager, selects: string[]): string {
  if (isSqlite(em)) return selects.join(' UNION ALL ');
  return selects.map((select) => `(${select} FOR UPDATE)`).join(' UNION ALL ');
}

/**
 * Returns a hint after a table's name that makes the statement find, and so lock, rows by the primary key first. Two
 * statements that find a row through different indexes lock its index entries in different orders, and deadlock. For
 * `group_id = ? AND device_id IN (…)` with an index on each order of the columns, MariaDB would otherwise read, and so
 * lock, the whole group: it expects a small one, since most are.
 */
export const forcePrimaryKey = (em: EntityManager): string => (isSqlite(em) ? '' : 'FORCE INDEX (PRIMARY)');

/**
 * Returns the start of a DELETE that finds its rows by the primary key, regardless of the table's statistics. If they
 * were made when the table was small, MariaDB would read every row, and wait for rows that other transactions have not
 * committed.
 */
export const deleteByPrimaryKey = (em: EntityManager, table: string): string =>
  isSqlite(em) ? `DELETE FROM ${table}` : `DELETE ${table} FROM ${table} FORCE INDEX (PRIMARY)`;

/**
 * Returns a hint after a table's name that forces an index, regardless of the table's statistics. For lists that have
 * an index in the list's order for every filter, so that the optimizer does not choose an index that lacks one of the
 * filters.
 */
export const byIndex = (em: EntityManager, name: string): string =>
  isSqlite(em) ? `INDEXED BY ${name}` : `FORCE INDEX (${name})`;

/** Joins several raw SELECTs into one statement; each may have its own ORDER BY and LIMIT. */
export const unionOfSome = (em: EntityManager, selects: readonly string[]): string =>
  selects.map((select) => (isSqlite(em) ? `SELECT * FROM (${select})` : `(${select})`)).join(' UNION ALL ');

/**
 * Returns the join keyword between two tables that makes the database read the first one first, in its index's order.
 */
export const straightJoin = (em: EntityManager): string => (isSqlite(em) ? 'CROSS JOIN' : 'STRAIGHT_JOIN');

/** A timestamp of a raw row: a Date from MySQL's driver; on SQLite the text that TypeORM wrote, in UTC. */
export type RawTimestamp = Date | string;

/** Converts a time to a parameter of a raw statement. */
export const toSqlTimestamp = (em: EntityManager, date: Date): RawTimestamp =>
  isSqlite(em) ? DateUtils.mixedDateToUtcDatetimeString(date) : date;

export const toDate = (value: RawTimestamp): Date =>
  value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);

export const toDateOrNull = (value: RawTimestamp | null): Date | null =>
  value === null ? null : toDate(value);

/** A COUNT or SUM of a raw row: a number on SQLite; text on MySQL if decimal or large; null for a SUM of no rows. */
export type RawCount = number | string | null;

/** Converts a count to a number; null and undefined become 0. */
export const toCount = (value: RawCount | undefined): number => Number(value ?? 0);
