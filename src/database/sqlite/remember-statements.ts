import { LRUCache } from 'lru-cache';

/** The methods of the driver's connection that the service calls. */
export interface SqliteConnection {
  pragma(statement: string): unknown;
  prepare(sql: string): object;
}

/** More than the service has. The others are statements with lists of values, one for each length of the list. */
const MAX_STATEMENTS = 500;

/**
 * Caches the prepared statements of a connection, so that each is parsed once. TypeORM caches them per query runner,
 * which here exists for one transaction or statement (`query-runner.ts`). A prepared statement can be shared because
 * the driver is synchronous: it runs to its end before the next one starts.
 */
export function rememberStatements(connection: SqliteConnection): void {
  const prepare = connection.prepare.bind(connection);
  const prepared = new LRUCache<string, object>({ max: MAX_STATEMENTS, memoMethod: prepare });
  connection.prepare = (sql) => prepared.memo(sql);
}
