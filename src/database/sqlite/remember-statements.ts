import { LRUCache } from 'lru-cache';

interface Connection {
  prepare(sql: string): object;
}

/** More than the service has; lists of values make the rest, one for each length. */
const MAX_STATEMENTS = 500;

/**
 * Lets a connection parse each statement once. TypeORM remembers them for as long as a query runner lives, which here is
 * one act (`query-runner.ts`). A statement is safe to share: the driver runs it to its end before anything else goes on.
 */
export function rememberStatements(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  const prepared = new LRUCache<string, object>({ max: MAX_STATEMENTS, memoMethod: prepare });
  connection.prepare = (sql) => prepared.memo(sql);
}
