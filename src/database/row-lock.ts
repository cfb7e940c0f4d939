import type { EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/*
 * Holding the rows that a query of a transaction finds until the transaction ends. SQLite has no words for it and needs
 * none: a transaction is alone there.
 */

const isSqlite = ({ options }: EntityManager['dataSource']): boolean => options.type === 'better-sqlite3';

/** The query, holding its rows. */
export function lockingRows<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
): SelectQueryBuilder<Entity> {
  return isSqlite(query.dataSource) ? query : query.setLock('pessimistic_write');
}

/** The end of a SELECT that waits for those who are changing the rows it finds. A statement is alone on SQLite. */
export const lockingShared = ({ dataSource }: EntityManager): string =>
  isSqlite(dataSource) ? '' : ' LOCK IN SHARE MODE';

/** The rows of several raw SELECTs with one statement, holding them; rows that their subqueries read are not held. */
export function lockingUnion({ dataSource }: EntityManager, selects: string[]): string {
  if (isSqlite(dataSource)) return selects.join(' UNION ALL ');
  return selects.map((select) => `(${select} FOR UPDATE)`).join(' UNION ALL ');
}

/**
 * Put behind a table's name: its rows are found, and so held, by their primary key first. Two statements that find a row
 * by different indexes hold it in different orders, and wait for each other.
 */
export const byPrimaryKey = ({ dataSource }: EntityManager): string =>
  isSqlite(dataSource) ? '' : 'FORCE INDEX (PRIMARY)';
