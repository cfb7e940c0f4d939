import * as mysql2 from 'mysql2';
import { type DataSourceOptions, getMetadataArgsStorage } from 'typeorm';
import type { DatabaseConfig, TlsConfig } from '../config/database-config';
import { MIGRATIONS } from './migrations';
import { perWorker } from '../workers/per-worker';
import { createPool, POOL_SIZE } from './mysql/pool';
import { rememberStatements, type SqliteConnection } from './sqlite/remember-statements';

/**
 * Maximum wait of the driver itself for a locked file, which blocks the process; `sqlite/query-runner.ts` then retries.
 */
const BUSY_TIMEOUT_MS = 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum number of requests that wait for a connection. Further ones fail immediately with UNAVAILABLE. */
const MAX_WAITING = 2_000;

/**
 * Returns TypeORM's options for a database, without side effects. The entities are those that the loaded modules declare:
 * code that uses an entity has imported it. Only `ormconfig.ts` loads every entity, to compare them with the tables.
 * @param workers number of processes that share the connections of the instance
 */
export function dataSourceOptions(database: DatabaseConfig, workers = 1): DataSourceOptions {
  const shared = {
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
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
        // In WAL mode a commit with NORMAL survives a crash of the process, and needs no fsync.
        connection.pragma('synchronous = NORMAL');
        // Overwrites deleted content, so that network addresses of calls do not remain in the file (API 6.6).
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
    poolSize: perWorker(POOL_SIZE, workers),
    connectTimeout: CONNECT_TIMEOUT_MS,
    extra: { queueLimit: MAX_WAITING, trace: false },
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
  };
}

/** Without `verifyIdentity` the driver accepts a certificate of any host that the authority has signed. */
const tlsOptions = ({ verify, ca }: TlsConfig) => ({
  rejectUnauthorized: verify,
  verifyIdentity: verify,
  ca,
});
