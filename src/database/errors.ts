import { QueryFailedError } from 'typeorm';

/** The database has not answered within the time limit. */
export class DatabaseTimeoutError extends Error {}

/** Error that a driver throws. mysql2 sets `fatal` if the error ends the connection. */
interface DriverError {
  code?: unknown;
  errno?: unknown;
  fatal?: boolean;
}

/** Names of errors for which mysql2 knows only a number: 1927 of MariaDB and MaxScale, the others of TiDB. */
const NAMES_BY_NUMBER: Readonly<Record<number, string>> = {
  1927: 'ER_CONNECTION_KILLED',
  8002: 'TIDB_FOR_UPDATE_CANT_RETRY',
  8022: 'TIDB_TXN_RETRYABLE',
  8028: 'TIDB_SCHEMA_CHANGED',
  9001: 'TIDB_PD_SERVER_TIMEOUT',
  9002: 'TIDB_TIKV_SERVER_TIMEOUT',
  9003: 'TIDB_TIKV_SERVER_BUSY',
  9004: 'TIDB_RESOLVE_LOCK_TIMEOUT',
  9005: 'TIDB_REGION_UNAVAILABLE',
  9007: 'TIDB_WRITE_CONFLICT',
};

const driverErrorOf = (error: unknown): DriverError | undefined =>
  (error instanceof QueryFailedError ? error.driverError : error) as DriverError | undefined;

/**
 * Returns the code of a database error, such as `ER_DUP_ENTRY` or `SQLITE_BUSY`: the driver's, otherwise the one for
 * its number. '' if it has neither.
 */
function codeOf(error: unknown): string {
  const { code, errno } = driverErrorOf(error) ?? {};
  if (typeof code === 'string') return code;
  return typeof errno === 'number' ? (NAMES_BY_NUMBER[errno] ?? '') : '';
}

const UNIQUE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const COLLISION = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  // Group Replication: the transaction conflicts with one of another member.
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT',
  'TIDB_FOR_UPDATE_CANT_RETRY',
  'TIDB_TXN_RETRYABLE',
  'TIDB_SCHEMA_CHANGED',
  'TIDB_WRITE_CONFLICT',
  'SQLITE_BUSY_SNAPSHOT',
]);
/**
 * Prefixes of codes of the outages during which only writes fail; reads still work. SQLite's codes have extensions, such
 * as SQLITE_IOERR_WRITE.
 */
const WRITE_FAILURE_PREFIXES = [
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_READONLY',
];
/** Prefixes of the codes of all outages. */
const OUTAGE_PREFIXES = [
  ...WRITE_FAILURE_PREFIXES,
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_',
  'ER_CON_COUNT_ERROR',
  'ER_USER_LIMIT_REACHED',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_MAX_PREPARED_STMT_COUNT_REACHED',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
  'ER_SERVER_OFFLINE_MODE',
  'ER_SERVER_ISNT_AVAILABLE',
  'ER_QUERY_INTERRUPTED',
  // Galera: the node has left the cluster or is not in step with it yet.
  'ER_UNKNOWN_COM_ERROR',
  // Group Replication: the group rejects the transaction. Galera: the node lost the cluster during a COMMIT.
  'ER_RUN_HOOK_ERROR',
  'ER_ERROR_DURING_COMMIT',
  'TIDB_PD_SERVER_TIMEOUT',
  'TIDB_TIKV_SERVER_TIMEOUT',
  'TIDB_TIKV_SERVER_BUSY',
  'TIDB_RESOLVE_LOCK_TIMEOUT',
  'TIDB_REGION_UNAVAILABLE',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
];

/** Errors of a server that is not, or is no longer, the primary: another server takes over. */
const DEMOTIONS = new Set(['ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE', 'ER_UNKNOWN_COM_ERROR']);

/**
 * Messages of errors of mysql2's pool, which have no code: too many callers wait for a connection; the service stops.
 */
const POOL_ERRORS = new Set(['Queue limit reached.', 'Pool is closed.']);

/** Whether a unique or primary key already exists. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE.has(codeOf(error));

/**
 * Whether the database rolled the transaction back because of a conflict with another one. It can be retried unchanged.
 */
export const isSerializationFailure = (error: unknown): boolean => COLLISION.has(codeOf(error));

/** Whether the wait for a lock of another transaction timed out. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === 'ER_LOCK_WAIT_TIMEOUT';

/** Whether the server knows the statement but does not support it in its configuration. */
export const isUnsupported = (error: unknown): boolean => codeOf(error) === 'ER_NOT_SUPPORTED_YET';

/** Whether another process has locked the SQLite file. */
export const isFileLocked = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Whether writes fail at the moment while reads work: the disk is full, or the database is read-only. */
export const isWriteRefused = (error: unknown): boolean =>
  WRITE_FAILURE_PREFIXES.some((prefix) => codeOf(error).startsWith(prefix));

/**
 * Whether the server has become a replica, or its node has left the cluster: its connections must not be used any more.
 */
export const isDemotion = (error: unknown): boolean => DEMOTIONS.has(codeOf(error));

/** Whether the database cannot be used at the moment, or the transaction still conflicts after all its attempts. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof DatabaseTimeoutError || isSerializationFailure(error)) return true;
  if (error instanceof Error && POOL_ERRORS.has(error.message)) return true;
  // A query on a connection that has just been lost fails without a code.
  if (driverErrorOf(error)?.fatal === true) return true;
  const isFromDriver = error instanceof QueryFailedError || 'errno' in Object(error);
  const code = codeOf(error);
  return isFromDriver && OUTAGE_PREFIXES.some((prefix) => code.startsWith(prefix));
}

/** Whether one item of a batch may have caused the error, or waits for a lock. Each item is then retried alone. */
export const isItemFailure = (error: unknown): boolean =>
  !isDatabaseOutage(error) || isSerializationFailure(error);
