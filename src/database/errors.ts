import { QueryFailedError } from 'typeorm';

/** The database gave no answer in time. */
export class DatabaseSilent extends Error {}

/** Error that a driver throws. mysql2 sets `fatal` where the error ends the connection. */
interface DriverError {
  code?: unknown;
  errno?: unknown;
  fatal?: boolean;
}

/** Names of errors that mysql2 gives a number only: one of MariaDB and MaxScale, the others of TiDB. */
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

/** Code of a database error, such as `ER_DUP_ENTRY` or `SQLITE_BUSY`: the driver's, or by its number; '' without either. */
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
/** Beginnings of codes: SQLite's come with extensions, such as SQLITE_IOERR_WRITE. */
const OUTAGE = [
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
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
  'ER_SERVER_OFFLINE_MODE',
  'ER_SERVER_ISNT_AVAILABLE',
  'ER_QUERY_INTERRUPTED',
  // Galera: the node has left the cluster or is not in step with it yet.
  'ER_UNKNOWN_COM_ERROR',
  // Group Replication: the group does not take the transaction. Galera: the node lost the cluster during a COMMIT.
  'ER_RUN_HOOK_ERROR',
  'ER_ERROR_DURING_COMMIT',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'TIDB_PD_SERVER_TIMEOUT',
  'TIDB_TIKV_SERVER_TIMEOUT',
  'TIDB_TIKV_SERVER_BUSY',
  'TIDB_RESOLVE_LOCK_TIMEOUT',
  'TIDB_REGION_UNAVAILABLE',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_BUSY',
];

/** Of these, those that refuse what would be written; what is there can still be read. */
const WRITE_REFUSALS = [
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_READONLY',
];

/** Errors of a server that is not, or no longer, the one to write to: another one takes its place. */
const DEMOTIONS = new Set(['ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE', 'ER_UNKNOWN_COM_ERROR']);

/** What mysql2's pool says, without a code: more wait for a connection than may; the service stops. */
const POOL_REFUSALS = new Set(['Queue limit reached.', 'Pool is closed.']);

/** A unique or primary key was already taken. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE.has(codeOf(error));

/** Two transactions were in each other's way and this one was rolled back: worth another try as it is. */
export const isCollision = (error: unknown): boolean => COLLISION.has(codeOf(error));

/** It has waited long for what another transaction holds, and in vain. */
export const isHeld = (error: unknown): boolean => codeOf(error) === 'ER_LOCK_WAIT_TIMEOUT';

/** The server knows the statement, and does not support it in its configuration. */
export const isUnsupported = (error: unknown): boolean => codeOf(error) === 'ER_NOT_SUPPORTED_YET';

/** Another process is using the SQLite file just now. */
export const isFileLocked = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Nothing can be written at the moment: the disk is full, or the database is for reading only. */
export const isWriteRefused = (error: unknown): boolean =>
  WRITE_REFUSALS.some((beginning) => codeOf(error).startsWith(beginning));

/** The server has become a replica, or its node has left the cluster: its connections lead nowhere any more. */
export const isDemotion = (error: unknown): boolean => DEMOTIONS.has(codeOf(error));

/** The database cannot be used at the moment, or the transaction still collides after all its tries. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof DatabaseSilent || isCollision(error)) return true;
  if (error instanceof Error && POOL_REFUSALS.has(error.message)) return true;
  // A query on a connection that has just been lost fails without a code.
  if (driverErrorOf(error)?.fatal === true) return true;
  const isDatabases = error instanceof QueryFailedError || 'errno' in Object(error);
  const code = codeOf(error);
  return isDatabases && OUTAGE.some((beginning) => code.startsWith(beginning));
}

/** Of what several wanted together one alone may be to blame, or wait for what another transaction holds. */
export const isOnesFault = (error: unknown): boolean => !isDatabaseOutage(error) || isCollision(error);
