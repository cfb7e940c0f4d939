import * as mysql2 from 'mysql2';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseConfig, TlsConfig } from '../config/database-config';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations';
import { createPool, POOL_SIZE } from './mysql/pool';
import { rememberStatements } from './sqlite/remember-statements';

/** How long the driver itself waits for a locked file, with the process standing still meanwhile. */
const BUSY_TIMEOUT_MS = 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** Requests that wait for a connection; beyond it they are told at once that the service is not available. */
const MAX_WAITING = 2_000;

interface SqliteConnection {
  pragma(statement: string): unknown;
  prepare(sql: string): object;
}

/** TypeORM's options for a database (pure). There is one set of entities and migrations for all of them. */
export function dataSourceOptions(database: DatabaseConfig): DataSourceOptions {
  const shared = {
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
  };
  if (database.type === 'better-sqlite3') {
    return {
      ...shared,
      type: 'better-sqlite3',
      database: database.file,
      enableWAL: true,
      timeout: BUSY_TIMEOUT_MS,
      statementCacheSize: 0,
      prepareDatabase: (connection: SqliteConnection) => {
        // In WAL mode a commit then survives the crash of the process, and costs no fsync.
        connection.pragma('synchronous = NORMAL');
        // What is deleted is overwritten: addresses of calls do not stay in the file (contract 17).
        connection.pragma('secure_delete = ON');
        rememberStatements(connection);
      },
    };
  }
  return {
    ...shared,
    type: database.type,
    driver: { ...mysql2, createPool },
    host: database.host,
    port: database.port,
    username: database.user,
    password: database.password,
    database: database.database,
    ssl: database.ssl && tlsOptions(database.ssl),
    poolSize: POOL_SIZE,
    connectTimeout: CONNECT_TIMEOUT_MS,
    extra: { queueLimit: MAX_WAITING, trace: false },
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
  };
}

/** Without `verifyIdentity` the driver takes the certificate of anybody whom the authority has signed one for. */
const tlsOptions = ({ verify, ca }: TlsConfig) => ({
  rejectUnauthorized: verify,
  verifyIdentity: verify,
  ca,
});
