import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/database-config';
import { dataSourceOptions } from './data-source-options';
import { ConnectionMutex } from './connection-mutex';
import { serializeStatements } from './sqlite/query-runner';

/**
 * Creates a data source that is not connected yet. On SQLite its users take turns through `mutex`.
 * @param workers number of processes that share the connections of the instance
 */
export function createDataSource(
  database: DatabaseConfig,
  mutex = ConnectionMutex.for(database),
  workers = 1,
): DataSource {
  const dataSource = new DataSource(dataSourceOptions(database, workers));
  if (database.type === 'better-sqlite3') {
    if (database.file !== ':memory:') mkdirSync(dirname(database.file), { recursive: true });
    serializeStatements(dataSource, mutex);
  }
  return dataSource;
}
