import type { DataSource, EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { DateUtils } from 'typeorm/util/DateUtils';

/* Everything that raw statements must know of the database they are for, and how their lists of parameters are written. */

/** An entity manager, a query builder, a query runner: whatever knows its data source. */
interface OfDatabase {
  dataSource: DataSource;
}

export const isSqlite = ({ dataSource }: OfDatabase): boolean => dataSource.options.type === 'better-sqlite3';

/** A part of a statement, with what stands at its places. */
export interface SqlPart {
  sql: string;
  parameters: unknown[];
}

/** `?, ?, ?`: a place for each of some values. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** `(?, ?), (?, ?)`: for each row, the places of its columns. */
export const tuples = (rows: readonly unknown[], places: string): string =>
  rows.map(() => `(${places})`).join(', ');

/** What stands behind IN for a list of rows: SQLite compares a row with those of a query only. */
export const tupleList = (em: OfDatabase, rows: readonly unknown[], places: string): string =>
  `(${isSqlite(em) ? 'VALUES ' : ''}${tuples(rows, places)})`;

/**
 * The same for an UPDATE or a DELETE, and never behind NOT: MariaDB looks there for a list of one row by reading, and so
 * locking, the whole table. Beside a row of nothing, which equals none, it goes by the index.
 */
export const tupleListOfChange = (em: OfDatabase, rows: readonly unknown[], places: string): string =>
  isSqlite(em)
    ? tupleList(em, rows, places)
    : `(${tuples(rows, places)}, (${places.replaceAll('?', 'NULL')}))`;

/** The end of an INSERT: rows whose key is there already are changed instead. MySQL assigns from left to right. */
export const orUpdate = (em: EntityManager, key: readonly string[], assignments: string): string =>
  `${isSqlite(em) ? `ON CONFLICT (${key.join(', ')}) DO UPDATE SET` : 'ON DUPLICATE KEY UPDATE'} ${assignments}`;

/** The beginning of an INSERT: rows whose key is there already are left out. */
export const orNothing = (em: EntityManager): string => (isSqlite(em) ? 'INSERT OR IGNORE' : 'INSERT IGNORE');

/** In such assignments: the value that was to be inserted; a column's bare name is the value that is there. */
export const given = (em: EntityManager, column: string): string =>
  isSqlite(em) ? `excluded.${column}` : `VALUES(${column})`;

/**
 * The ids that one statement has been allotted for several rows, of which one is known: the first on MySQL, the last on
 * SQLite. They have no gaps, but in a cluster they are some steps apart, since each server allots its own.
 */
export async function allottedIds(em: EntityManager, known: number, count: number): Promise<number[]> {
  if (isSqlite(em)) return Array.from({ length: count }, (_, index) => known - count + 1 + index);
  const step = await stepOfIds(em);
  return Array.from({ length: count }, (_, index) => known + index * step);
}

/** Where a transaction's query runner keeps it. */
const STEP = 'step of ids';

/** How far ids are apart on this server. A transaction asks once. */
async function stepOfIds(em: EntityManager): Promise<number> {
  const data: { [STEP]?: number } = em.queryRunner?.data ?? {};
  if (data[STEP] === undefined) {
    const [row] = await em.query<{ step: RawCount }[]>('SELECT @@auto_increment_increment AS step');
    data[STEP] = toCount(row?.step);
  }
  return data[STEP];
}

/*
 * Holding the rows that a query of a transaction finds until the transaction ends. SQLite has no words for it and needs
 * none: a transaction is alone there.
 */

/** The query, holding its rows. */
export function lockingRows<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
): SelectQueryBuilder<Entity> {
  return isSqlite(query) ? query : query.setLock('pessimistic_write');
}

/** The end of a SELECT whose rows are held. */
export const lockingEnd = (em: EntityManager): string => (isSqlite(em) ? '' : ' FOR UPDATE');

/** The end of a SELECT that waits for those who are changing the rows it finds. A statement is alone on SQLite. */
export const lockingShared = (em: EntityManager): string => (isSqlite(em) ? '' : ' LOCK IN SHARE MODE');

/** The rows of several raw SELECTs with one statement, holding them; rows that their subqueries read are not held. */
export function lockingUnion(em: EntityManager, selects: string[]): string {
  if (isSqlite(em)) return selects.join(' UNION ALL ');
  return selects.map((select) => `(${select} FOR UPDATE)`).join(' UNION ALL ');
}

/**
 * Put behind a table's name: its rows are found, and so held, by their primary key first. Two statements that find a row
 * by different indexes hold it in different orders, and wait for each other.
 */
export const byPrimaryKey = (em: EntityManager): string => (isSqlite(em) ? '' : 'FORCE INDEX (PRIMARY)');

/**
 * The beginning of a DELETE whose rows are found by their primary key, whatever the statistics say: in a table that was small
 * when they were made MariaDB else reads every row, and those that others have written and not committed it waits for.
 */
export const deleteByPrimaryKey = (em: EntityManager, table: string): string =>
  isSqlite(em) ? `DELETE FROM ${table}` : `DELETE ${table} FROM ${table} FORCE INDEX (PRIMARY)`;

/**
 * Put behind a table's name: its rows are found by this index, whatever the statistics say. For lists whose every filter has
 * an index in the list's order, of which one filter too few must not be taken.
 */
export const byIndex = (em: EntityManager, name: string): string =>
  isSqlite(em) ? `INDEXED BY ${name}` : `FORCE INDEX (${name})`;

/** The rows of several raw SELECTs with one statement, each with an ORDER BY and a LIMIT of its own. */
export const unionOfSome = (em: EntityManager, selects: readonly string[]): string =>
  selects.map((select) => (isSqlite(em) ? `SELECT * FROM (${select})` : `(${select})`)).join(' UNION ALL ');
/** Between two tables in FROM, before ON: the first is read first, by the index that has the order asked for. */
export const inThisOrder = (em: EntityManager): string => (isSqlite(em) ? 'CROSS JOIN' : 'STRAIGHT_JOIN');

/** A time of a raw row: MySQL's driver makes a date of it, SQLite has the text that TypeORM wrote, in UTC. */
export type RawMoment = Date | string;

/** What stands for a time among the parameters of a raw statement. */
export const toMoment = (em: EntityManager, date: Date): RawMoment =>
  isSqlite(em) ? DateUtils.mixedDateToUtcDatetimeString(date) : date;

export const toDate = (value: RawMoment): Date =>
  value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);

/** A COUNT or SUM of a raw row: a number on SQLite, text on MySQL where it is a decimal or large; a SUM of no rows is null. */
export type RawCount = number | string | null;

/** A count as a number; none is 0. */
export const toCount = (value: RawCount | undefined): number => Number(value ?? 0);
