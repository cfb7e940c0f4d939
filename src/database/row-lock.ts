import type { EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Makes a query of a transaction hold the rows it finds until the transaction ends. SQLite has no words for it and
 * needs none: a transaction is alone there.
 */
export function lockingRows<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
): SelectQueryBuilder<Entity> {
  const isSqlite = query.dataSource.options.type === 'better-sqlite3';
  return isSqlite ? query : query.setLock('pessimistic_write');
}

/** The end of a SELECT that waits for those who are changing the rows it finds. A statement is alone on SQLite. */
export const lockingShared = ({ dataSource }: EntityManager): string =>
  dataSource.options.type === 'better-sqlite3' ? '' : ' LOCK IN SHARE MODE';
